import { describe, expect, it } from 'vitest';
import { messageText } from '../../../extension/middleware/text';
import { assistant, call, long, result, type Said, talk, user } from '../../builders/conversation';
import { compact } from '../../builders/run';

/** The line that replaces the content of a file that was read before these steps, followed by newer ones. */
async function lineOfRead(...since: readonly Said[]): Promise<string> {
  const conversation = talk(
    user('Port the parser.'),
    call('read', 'read', { path: 'src/parser.ts' }),
    result('read', long('const parser = 1;')),
    since,
    [1, 2, 3].flatMap((at) => [call(`z${at}`, 'read', { path: `docs/${at}.md` }), result(`z${at}`, long('Notes.'))]),
    assistant('Done.'),
  );
  const parameters = { cleared: { keepTokens: 0, clearAtLeast: 0 } };
  const { after } = await compact(conversation, { strategy: 'cleared', parameters });
  return after.messages.map(messageText).find((text) => /^\[CLEARED\] read .*parser\.ts/.test(text)) ?? '';
}

function step(name: string, input: unknown, output = 'ok'): Said[] {
  return [call('since', name, input), result('since', output)];
}

describe('the line in place of a file that was read', () => {
  it('says that the same call gives it again, while nothing is recorded that may have changed the file', async () => {
    const harmless = [
      step('bash', { command: 'npm test' }),
      step('bash', { command: 'git log --oneline' }),
      step('edit', { path: 'src/lexer.ts', oldText: 'a', newText: 'b' }),
      step('Task', { subagent_type: 'Explore', prompt: 'Where is the parser called?' }),
    ];
    for (const since of harmless) expect(await lineOfRead(...since)).toContain('the same call gives it again');
  });

  it('does not say so after what may have changed the file', async () => {
    const changing = [
      step('edit', { path: 'src/parser.ts', oldText: 'a', newText: 'b' }),
      step('bash', { command: 'sed -i s/a/b/ src/parser.ts' }),
      step('Task', { subagent_type: 'general-purpose', prompt: 'Port the parser.' }),
      step('spawn_agent', { message: 'Port the parser.' }),
      step('bash', { command: 'git checkout main' }),
      step('bash', { command: 'cd app && git -C .. pull --rebase' }),
      step('bash', { command: 'npx biome check --write .' }),
      step('bash', { command: 'npx prettier -w src' }),
      step('bash', { command: 'find src -name "*.ts" | xargs sed -i s/a/b/' }),
      step('bash', { command: 'cargo fmt' }),
    ];
    for (const since of changing) {
      const line = await lineOfRead(...since);
      expect(line, JSON.stringify(since)).toContain('Call it again if its output is needed.');
      expect(line).not.toContain('gives it again');
    }
  });
});
