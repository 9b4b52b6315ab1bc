import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'jsonc-parser';
import * as v from 'valibot';
import { orIfMissing } from '../../../platform/files/with-file';
import { type CommandAnswer, type ModelCommand, unreadable } from '../model-command';
import { jsonOf } from '../output-lines';
import { homeOf } from '../workplace';

/**
 * It always stores its session, so it gets a home folder for this run only, with the files that contain the sign-in. Its settings are a
 * copy without tools, servers and extensions.
 */
export const geminiCli: ModelCommand = {
  id: 'gemini',
  name: 'Gemini CLI',
  program: 'gemini',
  shown: 'gemini -p',
  cheapestModel: 'flash-lite',
  contextWindow: 1_000_000,
  input: 'pipe',
  output: 'json',
  async prepare({ model, role, place }) {
    const home = join(homeOf('GEMINI_CLI_HOME', ''), '.gemini');
    await place.borrow(home, signIn, '.gemini');
    await place.write('.gemini/settings.json', JSON.stringify(await leanSettings(join(home, 'settings.json'))));
    const prompt = await place.write('system.md', role);
    return {
      args: [
        ...['-o', 'json', '--skip-trust', '-e', 'none', '--approval-mode', 'plan'],
        ...(model === null ? [] : ['-m', model]),
      ],
      environment: { GEMINI_CLI_HOME: place.home, GEMINI_SYSTEM_MD: prompt },
    };
  },
  answerOf,
};

const signIn = ['oauth_creds.json', 'gemini-credentials.json', 'google_accounts.json', 'installation_id', '.env'];

/** How the person is signed in; the other settings are left out. */
async function leanSettings(file: string): Promise<object> {
  // Without a file they are empty, as for the program itself.
  const text = await orIfMissing(readFile(file, 'utf8'), '{}');
  const settings = v.safeParse(signedIn, parse(text));
  return {
    ...(settings.success ? settings.output : {}),
    tools: { core: ['none'] },
    privacy: { usageStatisticsEnabled: false },
    general: { enableAutoUpdate: false },
  };
}

const signedIn = v.object({
  security: v.optional(v.object({ auth: v.optional(v.record(v.string(), v.unknown())) })),
  selectedAuthType: v.optional(v.string()),
});

const answered = v.object({
  response: v.optional(v.string(), ''),
  error: v.optional(v.object({ message: v.string() })),
  stats: v.optional(
    v.object({
      models: v.record(
        v.string(),
        v.object({
          tokens: v.object({ prompt: v.number(), candidates: v.number(), thoughts: v.optional(v.number(), 0) }),
        }),
      ),
    }),
  ),
});

function answerOf(output: string): CommandAnswer {
  const read = v.safeParse(answered, jsonOf(output));
  if (!read.success) return unreadable;
  const { response, error, stats } = read.output;
  const tokens = Object.values(stats?.models ?? {}).map((model) => model.tokens);
  return {
    text: response,
    problem: error?.message ?? null,
    usage:
      tokens.length === 0
        ? null
        : {
            input: tokens.reduce((total, { prompt }) => total + prompt, 0),
            output: tokens.reduce((total, { candidates, thoughts }) => total + candidates + thoughts, 0),
          },
  };
}
