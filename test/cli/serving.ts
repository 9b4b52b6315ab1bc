import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { newTenant } from '../../extension/gateway/admission';
import { newFolder } from '../conversations/stores/stores';
import type { Upstream } from '../gateway/upstream';

export const acme = newTenant('acme');
export const globex = newTenant('globex');

/** `strata serve` as a process of its own. */
export interface Serving {
  readonly url: string;
  readonly child: ChildProcess;
  /** The text on standard error: one JSON object per line. */
  log(): string;
  /** Status and text of `/ready`. */
  ready(): Promise<string>;
  /** Sends the signal to stop. Resolves to the exit code. */
  end(): Promise<number | null>;
}

/**
 * Serves the tenants acme and globex with this store. `command` is the built `strata.js`. Rejects with the output if
 * the process ends.
 */
export async function serving(
  command: string,
  store: string,
  upstream: Pick<Upstream, 'url'>,
  ...options: readonly string[]
): Promise<Serving> {
  const tenants = join(await newFolder('tenants'), 'tenants');
  await writeFile(tenants, `${acme.line}\n${globex.line}\n`);
  const words = ['serve', '--json', '--tenants', tenants, '--store', store, '--openai', `${upstream.url}/v1`];
  const child = spawn(process.execPath, [command, ...words, ...options]);
  onTestFinished(() => void child.kill('SIGKILL'));
  let log = '';
  child.stderr.on('data', (text) => {
    log += text;
  });
  let text = '';
  for await (const data of child.stdout) {
    text += data;
    if (text.trimEnd().endsWith('}')) break;
  }
  if (text === '') throw new Error(log);
  const { url } = JSON.parse(text);
  return {
    url,
    child,
    log: () => log,
    async ready() {
      const response = await fetch(`${url}/ready`);
      return `${response.status} ${await response.text()}`;
    },
    async end() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
      return child.exitCode;
    },
  };
}

export interface Chat {
  readonly role: string;
  readonly content: string;
}

/** One turn of an agent that sends its whole history. `conversation`: its key; null: the request has none. */
export async function turn(
  { url }: Pick<Serving, 'url'>,
  conversation: string | null,
  history: Chat[],
  prompt: string,
): Promise<void> {
  history.push({ role: 'user', content: prompt });
  const named = conversation === null ? {} : { 'x-strata-conversation': conversation };
  const response = await fetch(`${url}/${acme.token}/openai/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...named },
    body: JSON.stringify({ model: 'm', messages: history, tools: [] }),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  const { choices } = (await response.json()) as { choices: readonly [{ message: Chat }] };
  history.push(choices[0].message);
}

/** Answers each request with its last prompt. */
export function answersLastPrompt(upstream: Upstream): void {
  upstream.behaviour = (response, { body }) => {
    const { messages } = JSON.parse(body.toString('utf8')) as { messages: readonly Chat[] };
    const message = { role: 'assistant', content: `Answer to ${messages.at(-1)?.content}` };
    const choices = [{ index: 0, finish_reason: 'stop', message }];
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ choices }));
  };
}
