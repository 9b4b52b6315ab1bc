import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startRecorder } from '../agents/recorder.ts';
import { answersTurn } from '../builders/scripted-chat.ts';
import { startModelServer } from '../builders/scripted-model-server.ts';
import { type RestartableServer, startPostgres } from '../conversations/stores/servers.ts';
import { projectFolder } from './paths.ts';
import { temporaryFolder } from './processes/temporary-folder.ts';

const program = join(projectFolder, 'dist/cli/strata.js');

/** Two processes of `strata serve` with one encrypted Postgres, in front of a scripted model. */
export interface Team {
  readonly postgres: RestartableServer;
  /** The key that encrypts the store. */
  readonly key: string;
  /** Base URLs of the tenant `acme`, one for each process. */
  readonly addresses: readonly [string, string];
  /** Bodies of the requests that reached the model, oldest first. */
  readonly received: () => readonly string[];
  close(): Promise<void>;
}

/** `options` are those of `strata serve`. */
export async function startTeam(...options: readonly string[]): Promise<Team> {
  const key = randomBytes(32).toString('base64');
  const model = await startModelServer(answersTurn());
  const upstream = await startRecorder(new URL(model.baseUrl).origin);
  const postgres = await startPostgres();
  const { stdout } = await promisify(execFile)(process.execPath, [program, 'serve', 'token', 'acme', '--json']);
  const { token, line } = JSON.parse(stdout);
  const tenants = join(temporaryFolder(), 'tenants');
  await writeFile(tenants, `${line}\n`);
  const to = ['--json', '--tenants', tenants, '--openai', `${upstream.address}/v1`, '--store', postgres.address];
  const serve = () => serving([...to, ...options], { ...process.env, STRATA_STORE_KEY: key });
  const [one, other] = await Promise.all([serve(), serve()]);
  const addressOf = ({ url }: Served) => `${url}/${token}/openai/v1`;
  return {
    ...{ postgres, key, addresses: [addressOf(one), addressOf(other)] },
    received: () => upstream.recorded.map(({ body }) => body.toString()),
    async close() {
      for (const { child } of [one, other]) child.kill('SIGKILL');
      upstream.close();
      model.close();
      await postgres.stop();
    },
  };
}

interface Served {
  readonly url: string;
  readonly child: ChildProcess;
}

async function serving(options: readonly string[], env: NodeJS.ProcessEnv): Promise<Served> {
  const child = spawn(process.execPath, [program, 'serve', ...options], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  let text = '';
  for await (const data of child.stdout) {
    text += data;
    if (text.trimEnd().endsWith('}')) break;
  }
  return { url: JSON.parse(text).url, child };
}
