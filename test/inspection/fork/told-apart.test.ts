import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { isPrompt } from '../../../extension/engine/conversation/entry';
import { forkSession } from '../../../extension/inspection/fork/fork-session';
import { temporaryFolders } from '../../sessions/temporary';
import { compact, copyOf, inspect, words } from './inspect';

const temporary = temporaryFolders();
const added = '<system-reminder>\nThe file a.ts is open.\n</system-reminder>\n';

const cases = [
  { fixture: 'claude-code-2.1.330/before-compaction.jsonl', prompt: /("role":"user","content":")(?=[A-Z])/g },
  { fixture: 'pi-0.87/before-compaction.jsonl', prompt: /("role":"user","content":\[\{"type":"text","text":")/g },
  { fixture: 'codex-0.169/after-compaction.jsonl', prompt: /("type":"input_text","text":")(?=[A-Z])/g },
];

it.each(cases.flatMap((one) => (['naive', 'prune'] as const).map((strategy) => ({ ...one, strategy }))))(
  'a fork of $fixture after $strategy holds each message with what its agent put into it, once',
  async ({ fixture, prompt, strategy }) => {
    const folder = temporary();
    const file = copyOf(fixture, folder);
    const written = readFileSync(file, 'utf8');
    writeFileSync(file, written.replaceAll(prompt, `$1${JSON.stringify(added).slice(1, -1)}`));
    const inspection = await inspect(file, folder);
    const prompts = inspection.conversation.entries.filter(isPrompt);
    const injected = inspection.conversation.entries.filter(({ id }) => id.includes(':injected-'));
    expect(prompts.length).toBeGreaterThan(1);
    expect(injected).toHaveLength(prompts.length);
    await compact(inspection, strategy);
    const fork = await inspect((await forkSession(inspection)).file, folder);
    expect(words(fork.context)).toBe(words(inspection.context));
    const before = prompts.at(-1);
    const earlier = await inspect((await forkSession(inspection, { before: before?.id ?? '' })).file, folder);
    expect(earlier.conversation.entries.filter(isPrompt)).toHaveLength(prompts.length - 1);
  },
);
