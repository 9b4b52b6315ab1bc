import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ToolsOutcome } from '../../extension/conversations/compaction/settings';
import { type LanguageModel, ModelFailed } from '../../extension/engine/block/language-model';
import { answerAgent } from '../../extension/inside/answer';
import type { AgentServices } from '../../extension/inside/call';
import type { AgentAnswer, AgentRequest, CompactedAnswer } from '../../extension/inside/exchange';
import { strataInside } from '../../extension/inside/inside';
import { agentPlaces } from '../../extension/inside/places';
import { askRunning } from '../../extension/inside/service/ask';
import { Preparations } from '../../extension/inside/service/preparations';
import { serveAgents } from '../../extension/inside/service/serve';
import { readSetup, standardSettings, writeSetup } from '../../extension/inside/service/setup';
import { writeInstalled } from '../../extension/inside/setup/installed';
import { isUndoneByAgent } from '../../extension/inside/undo';
import { reminderText } from '../../extension/inside/words';
import { modelSummarizer } from '../../extension/summarizers/model/model-summarizer';
import { toolsWithoutModel } from '../../extension/summarizers/without-model';
import { long } from '../builders/conversation';
import { inspectSample, prepareSample } from '../builders/inspection';
import { obedient, scriptedSummaries } from '../builders/scripted-summaries';

const sample = resolve(import.meta.dirname, '../fixtures/pi-v1/until-after-first-compaction.jsonl');
const claude = resolve(import.meta.dirname, '../fixtures/claude-code-2.1.14');

describe('a request of a plugin inside an agent', () => {
  it('is answered with a smaller context, which is in the journal as in effect in the agent', async () => {
    const here = place();
    const answer = compacted(await ask(here, { action: 'compact' }));
    expect(answer.tokens.after).toBeLessThan(answer.tokens.before);
    expect(answer.pieces.some(({ isOurs }) => isOurs)).toBe(true);
    expect(
      recordsIn(here)
        .filter(({ kind }) => kind === 'compaction')
        .map(({ effect }) => effect),
    ).toContain('agent');
  });

  it('is answered with one line: what it did, where the cache is lost, how to see it and take it back', async () => {
    const here = place();
    const { message, tokens } = compacted(await ask(here, { action: 'compact' }));
    const { before, after } = tokens;
    const [, cached] =
      /the first (\d+)\. \/strata why shows what went, \/strata undo takes it back\.$/.exec(message) ?? [];
    expect(message.startsWith(`Strata compacted ${before} → ${after} tokens; the prompt cache holds for`)).toBe(true);
    expect(Number(cached)).toBeLessThan(after);
    expect(message).not.toContain('\n');
  });

  it('refers to what was left out if the server of Strata is set up in the agent, and only there', async () => {
    const [here, set] = [place(), place()];
    const { installed } = agentPlaces(set.services.environment);
    const file = { file: '/nowhere', before: null, after: '', edits: [], folders: [] };
    await writeInstalled(installed, { pi: [file] });
    for (const [at, refers] of [
      [here, false],
      [set, true],
    ] as const) {
      const { pieces } = compacted(await ask(at, { action: 'compact' }));
      expect(pieces.some(({ text }) => text.includes('strata_recall { "ids": ['))).toBe(refers);
    }
  });

  it('carries out what the preview showed, and a preview alone writes no compaction', async () => {
    const here = place();
    const preview = compacted(await ask(here, { action: 'preview' }));
    expect(recordsIn(here).map(({ kind }) => kind)).toEqual(['header', 'prepared']);
    const answer = compacted(await ask(here, { action: 'compact' }));
    expect(answer.pieces).toEqual(preview.pieces);
  });

  it('applies the run that the panel prepared, with its strategy', async () => {
    const here = place();
    const { inspection } = await inspectSample(here.services.journals);
    const run = await prepareSample(inspection, 'checkpoint', { checkpoint: { keepRecentTokens: 20 } });
    await inspection.storeForAgent(run);
    const answer = compacted(await ask(here, { action: 'compact', file: inspection.session.file }));
    expect(answer.pieces.map(({ text }) => text)).toContain(run.records[0]?.text);
    const made = recordsIn(here).filter(({ kind }) => kind === 'compaction');
    expect(made.map(({ strategy }) => strategy)).toEqual(['checkpoint']);
  });

  it('prepares a run even if all compactions are in effect in the agent, and carries it out after a further turn', async () => {
    const here = place();
    const { inspection } = await inspectSample(here.services.journals, here.file);
    await inspection.apply(
      await prepareSample(inspection, 'checkpoint', { checkpoint: { keepRecentTokens: 400 } }),
      'agent',
    );
    const preview = compacted(await ask(here, { action: 'preview' }));
    goOn(here, 'And one thing more.');
    const { pieces } = compacted(await ask(here, { action: 'compact' }));
    expect(pieces.slice(0, preview.pieces.length)).toEqual(preview.pieces);
    expect(pieces.slice(preview.pieces.length).map(({ text }) => text)).toEqual(['And one thing more.', 'Done.']);
  });

  it('returns the compacted context to an agent that asks before each request, until it is undone', async () => {
    const here = withoutAutomation(place());
    expect(await ask(here, { action: 'context' })).toMatchObject({ kind: 'said', journal: expect.any(String) });
    const answer = compacted(await ask(here, { action: 'compact' }));
    const next = compacted(await ask(here, { action: 'context' }));
    expect(next.pieces).toEqual(answer.pieces);
    expect(existsSync(next.journal ?? '')).toBe(true);
    await ask(here, { action: 'undo' });
    expect(await ask(here, { action: 'context' })).toMatchObject({ kind: 'said' });
  });

  it('clears what is old if an agent asks before each request', async () => {
    const answer = compacted(await ask(place(), { action: 'context' }));
    expect(answer.pieces.filter(({ text }) => /^\[(?:SUPERSEDED|CLEARED)\]/.test(text)).length).toBeGreaterThan(0);
  });

  it('clears nothing by itself after the person undid the newest compaction', async () => {
    const here = place();
    compacted(await ask(here, { action: 'context' }));
    await ask(here, { action: 'undo' });
    expect(await ask(here, { action: 'context' })).toMatchObject({ kind: 'said', message: 'Nothing is compacted.' });
  });

  it('gives the agent’s own summarizer the pins if Strata finds nothing worth compacting', async () => {
    const here = place();
    await ask(here, { action: 'pin', text: 'Never touch the marker FACT-ALPHA-42.' });
    const huge = { parameters: { ladder: { target: 10_000_000 } } };
    const answer = await ask(
      { ...here, services: { ...here.services, settings: () => ({ ...standardSettings, ...huge }) } },
      { action: 'compact' },
    );
    expect(answer).toMatchObject({ kind: 'fallback', instructions: expect.stringContaining('FACT-ALPHA-42') });
    expect(answer.message).toContain('nothing worth compacting was found');
  });

  it('says the core again, with what was left out, for an agent that writes its own summaries', async () => {
    const here = place();
    await ask(here, { action: 'pin', text: 'Never touch the marker FACT-ALPHA-42.' });
    const { again, message } = (await ask(here, { action: 'reminder' })) as { again?: string; message: string };
    expect(again).toContain('Never touch the marker FACT-ALPHA-42.');
    expect(again).toContain('What the compaction left out');
    expect(message).toMatch(
      /^Strata told the model again what is pinned and what the summary left out, in \d+ tokens\. Strata’s panel shows all that went/,
    );
  });

  it('names only the parts that it says again', async () => {
    const [summarised, whole] = [place(), place()];
    const lost = /^Strata told the model again what the summary left out, in \d+ tokens\./;
    expect((await ask(summarised, { action: 'reminder' })).message).toMatch(lost);
    const text = readFileSync(whole.file, 'utf8');
    writeFileSync(whole.file, text.slice(0, text.indexOf('{"type":"compaction"')));
    const message = async () => (await ask(whole, { action: 'reminder' })).message;
    expect(await message()).toBe('Nothing is pinned.');
    await ask(whole, { action: 'pin', text: 'Never touch the marker FACT-ALPHA-42.' });
    expect(await message()).toMatch(/^Strata told the model again what is pinned, in \d+ tokens\.$/);
  });

  it('says that nothing was left out only if a summary of the agent was looked at', () => {
    const nothing = { core: null, loss: 'none' } as const;
    expect(reminderText({ ...nothing, isOwn: false }, 0)).toBe('Nothing is pinned.');
    expect(reminderText({ ...nothing, isOwn: true }, 0)).toBe('Nothing is pinned, and the summary left nothing out.');
    expect(reminderText({ core: null, loss: 'known', isOwn: true }, 7)).toMatch(
      /^Strata told the model again what the summary left out, in 7 tokens\. Strata’s panel/,
    );
    expect(reminderText({ core: null, loss: 'unknown', isOwn: true }, 7)).toBe(
      'Strata told the model again how to look up what the encrypted summary may have left out, in 7 tokens.',
    );
  });

  it('says after a compaction by Strata what it did, in a field of its own', async () => {
    const here = place();
    const text = readFileSync(here.file, 'utf8');
    writeFileSync(here.file, text.slice(0, text.indexOf('{"type":"compaction"')));
    expect(await ask(here, { action: 'reminder' })).not.toHaveProperty('done');
    const { message } = compacted(await ask(here, { action: 'compact' }));
    expect(await ask(here, { action: 'reminder' })).toMatchObject({ done: message });
  });

  it('is shown by the hook of Claude Code by that field, whatever its words are', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'strata-hook-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const plugins = resolve(import.meta.dirname, '../../extension/agents');
    copyFileSync(join(plugins, 'claude-code/inside/plugin/hooks/say-core.mjs'), join(folder, 'say-core.mjs'));
    copyFileSync(join(plugins, '../inside/plugin/ask.js'), join(folder, 'ask.js'));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    const answer = JSON.stringify({ kind: 'said', message: 'Strata compacted nothing.', done: 'It is done.' });
    const command = [process.execPath, '-e', `console.log(${JSON.stringify(answer)})`, '--'];
    writeFileSync(join(folder, 'command.js'), `export const command = ${JSON.stringify(command)};\n`);
    const input = JSON.stringify({ session_id: 'a', transcript_path: 'b', hook_event_name: 'SessionStart' });
    const env = { ...process.env, XDG_DATA_HOME: folder };
    const shown = execFileSync(process.execPath, [join(folder, 'say-core.mjs')], { input, env, encoding: 'utf8' });
    expect(JSON.parse(shown)).toEqual({ systemMessage: 'It is done.' });
  });

  it('has what was pinned word for word', async () => {
    const here = place();
    await ask(here, { action: 'pin', text: 'Never touch the marker FACT-ALPHA-42.' });
    const answer = compacted(await ask(here, { action: 'compact' }));
    expect(JSON.stringify(answer.result)).toContain('Never touch the marker FACT-ALPHA-42.');
  });

  it('says what an undone compaction had replaced', async () => {
    const here = place();
    await ask(here, { action: 'compact' });
    const undone = await ask(here, { action: 'undo' });
    expect(undone).toMatchObject({ kind: 'said', again: expect.stringContaining('<message role=') });
    expect(await ask(here, { action: 'undo' })).not.toHaveProperty('again');
  });

  it('is about the newest session in the folder if the plugin does not know which one', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'strata-inside-'));
    const here = inFolder(folder);
    await ask(here, {
      action: 'pin',
      text: 'Never touch the marker FACT-ALPHA-42.',
      session: null,
      file: null,
      folder,
    });
    expect(await ask(here, { action: 'status' })).toMatchObject({ message: expect.stringContaining('Pinned: 1.') });
    const elsewhere = await ask(here, { action: 'status', session: null, file: null, folder: '/nowhere' });
    expect(elsewhere).toMatchObject({ kind: 'fallback', message: expect.stringContaining('in /nowhere') });
  });

  it('falls back with one line where the session is not on disk', async () => {
    const answer = await ask(place(), { action: 'compact', session: 'unknown', file: null });
    expect(answer).toEqual({ kind: 'fallback', message: 'Strata: the session unknown is not on disk yet.' });
  });

  it('falls back if the journal cannot be written', async () => {
    const here = place();
    writeFileSync(here.services.journals, 'a file where the folder should be');
    const answer = await ask(here, { action: 'compact' });
    expect(answer.kind).toBe('fallback');
    expect(answer.message).not.toContain('\n');
  });

  it('is answered also while the same session asks for something else', async () => {
    const here = place();
    const answers = await Promise.all(
      (['hello', 'compact', 'status', 'hello'] as const).map((action) => ask(here, { action })),
    );
    expect(answers.map(({ kind }) => kind)).toEqual(['said', 'compacted', 'said', 'said']);
  });

  it('notes that Strata is inside the agent, for this session only', async () => {
    const here = place();
    expect(await strataInside('pi', here.session, here.services.environment)).toBeNull();
    await ask(here, { action: 'status' });
    expect(await strataInside('pi', here.session, here.services.environment)).toEqual({ calledAt: now });
    expect(await strataInside('claude-code', here.session, here.services.environment)).toBeNull();
  });
});

describe('a block that is prepared ahead', () => {
  it('is written by the model while no request waits, and used at once with what was said since', async () => {
    const { model, asked } = scriptedSummaries(obedient);
    const here = writtenBy(place(), model);
    const prepared = await ask(here, { action: 'prepare' });
    expect(prepared.message).toMatch(/^Prepared for the next compaction: \d+ → \d+ tokens\.$/);
    const calls = asked.length;
    expect(calls).toBeGreaterThan(0);
    goOn(here, 'And one thing more.');
    const answer = compacted(await ask(here, { action: 'compact' }));
    expect(asked).toHaveLength(calls);
    expect(answer.pieces.slice(-2).map(({ text }) => text)).toEqual(['And one thing more.', 'Done.']);
    expect(recordsIn(here).some(({ summarizer }) => summarizer?.model === 'm')).toBe(true);
    await ask(here, { action: 'undo' });
    expect(await ask(here, { action: 'compact' })).toMatchObject({ kind: 'fallback' });
  });

  it('is followed by a block without a model if much was said since', async () => {
    const { model, asked } = scriptedSummaries(obedient);
    const here = writtenBy(place(), model);
    await ask(here, { action: 'prepare' });
    const calls = asked.length;
    for (let turn = 0; turn < 40; turn += 1)
      goOn(here, long(`Turn ${turn} of src/part-${turn}.ts has much to say.`, 120));
    const answer = compacted(await ask(here, { action: 'compact' }));
    expect(answer.tokens.after).toBeLessThan(42_000);
    expect(asked).toHaveLength(calls);
    const runs = recordsIn(here).filter(({ kind }) => kind === 'compaction');
    expect(new Set(runs.map(({ run }) => run)).size).toBe(1);
    expect(new Set(runs.map(({ summarizer }) => summarizer?.model)).size).toBe(2);
  });

  it('is not there: the agent’s own model writes, with instructions and what is pinned', async () => {
    for (const model of [scriptedSummaries(obedient).model, null]) {
      const here = writtenBy(place(), model);
      await ask(here, { action: 'pin', text: 'Never touch the marker FACT-ALPHA-42.' });
      const answer = await ask(here, { action: 'compact' });
      expect(answer).toMatchObject({ kind: 'fallback', instructions: expect.stringContaining('FACT-ALPHA-42') });
      expect(recordsIn(here).map(({ kind }) => kind)).not.toContain('compaction');
    }
  });

  it('is not there and the agent’s own call failed: a block without a model takes its place', async () => {
    const here = writtenBy(place(), scriptedSummaries(obedient).model);
    compacted(await ask(here, { action: 'compact', ownFailed: true }));
  });

  it('is not used if instructions are about another text', async () => {
    const here = writtenBy(place(), scriptedSummaries(obedient).model);
    await ask(here, { action: 'prepare' });
    expect(await ask(here, { action: 'compact', instructions: 'Only the parser.' })).toMatchObject({
      kind: 'fallback',
    });
  });

  it('is not kept if the model fails, which is not asked again before the session has grown', async () => {
    const { model, asked } = scriptedSummaries(() => {
      throw new ModelFailed('unavailable', 'The server is gone.');
    });
    const here = writtenBy(place(), model);
    expect((await ask(here, { action: 'prepare' })).message).toMatch(/^Nothing is prepared: .*The server is gone\./);
    const calls = asked.length;
    expect((await ask(here, { action: 'prepare' })).message).toBe('The compaction that is prepared is recent enough.');
    expect(asked).toHaveLength(calls);
    expect(await ask(here, { action: 'compact' })).toMatchObject({ kind: 'fallback' });
  });

  it('is taken before a request of an agent that asks before each, and without one the context is left to the agent', async () => {
    const { model, asked } = scriptedSummaries(obedient);
    const here = writtenBy(place(), model);
    const left = await ask(here, { action: 'context', trigger: 'automatic' });
    expect(left).toMatchObject({ message: 'Nothing is compacted.' });
    await ask(here, { action: 'prepare' });
    const calls = asked.length;
    compacted(await ask(here, { action: 'context', trigger: 'automatic' }));
    expect(recordsIn(here).some(({ kind, summarizer }) => kind === 'compaction' && summarizer?.model === 'm')).toBe(
      true,
    );
    expect(asked).toHaveLength(calls);
  });

  it('is begun by what a plugin asks for as its session grows, and only once at a time', async () => {
    const { model, asked } = scriptedSummaries(obedient);
    const here = writtenBy(place(), model);
    const warnings: string[] = [];
    const preparations = new Preparations(here.services, (message) => warnings.push(message));
    const serving = { ...here, services: { ...here.services, prepares: preparations.begin } };
    await ask(serving, { action: 'clear' });
    await ask(serving, { action: 'prepare' });
    await vi.waitFor(async () =>
      expect((await ask(here, { action: 'status' })).message).toMatch(
        /by m: \d+ → \d+ tokens\.\nSpent on preparing: [1-9]/,
      ),
    );
    const calls = asked.length;
    await ask(serving, { action: 'prepare' });
    await ask(here, { action: 'prepare' });
    expect(asked).toHaveLength(calls);
    expect(warnings).toEqual([]);
  });
});

describe('messages that the agent has only in memory', () => {
  const file = join(claude, readdirSync(claude).find((name) => name.endsWith('.jsonl')) ?? '');

  it('complete a file that lacks the newest ones', async () => {
    const here = place();
    const { messages } = compacted(await askClaude(here, file, undefined)).result as { messages: object[] };
    const handed = [...messages, { role: 'user', text: 'and one more thing' }];
    const answer = compacted(await askClaude(place(), file, handed));
    expect(answer.pieces.at(-1)).toMatchObject({ role: 'user', text: 'and one more thing' });
  });

  it('are refused if they are another conversation', async () => {
    const answer = await askClaude(place(), file, [{ role: 'user', text: 'something else' }]);
    expect(answer).toMatchObject({ kind: 'fallback', message: expect.stringContaining('has in memory is not in') });
  });
});

it('knows a compaction that only the agent can take back, if each request is not Strata’s anyway', async () => {
  const { inspection } = await inspectSample();
  await inspection.apply(await prepareSample(inspection), 'agent');
  const seqs = inspection.state.compactions.map(({ record }) => record.seq);
  expect(isUndoneByAgent(inspection, seqs)).toBe(false);
  inspection.isStrataInside = true;
  expect(isUndoneByAgent(inspection, seqs)).toBe(true);
  expect(isUndoneByAgent(inspection, [])).toBe(false);
  await inspection.undo();
  expect(isUndoneByAgent(inspection, seqs)).toBe(false);
});

describe('a running Strata', () => {
  it('is found by a file that only its owner may read, and answers as a process of its own would', async () => {
    const here = place();
    const { running } = agentPlaces(here.services.environment);
    const service = await serveAgents(here.services, running);
    onTestFinished(() => service.close());
    expect(statSync(running).mode & 0o777).toBe(0o600);
    const preview = await askRunning(running, 'pi', requestOf(here, { action: 'preview' }));
    expect(preview).toEqual(await ask(here, { action: 'preview' }));
  });

  it('refuses requests without the token', async () => {
    const here = place();
    const { running } = agentPlaces(here.services.environment);
    const service = await serveAgents(here.services, running);
    onTestFinished(() => service.close());
    const { url } = JSON.parse(readFileSync(running, 'utf8'));
    const response = await fetch(`${url}/pi`, { method: 'POST', body: '{}' });
    expect(response.status).toBe(403);
  });

  it('is gone once it is closed or killed', async () => {
    const here = place();
    const { running } = agentPlaces(here.services.environment);
    const service = await serveAgents(here.services, running);
    const left = readFileSync(running, 'utf8');
    await service.close();
    const request = requestOf(here, { action: 'status' });
    expect(await askRunning(running, 'pi', request)).toBeNull();
    writeFileSync(running, left);
    expect(await askRunning(running, 'pi', request)).toBeNull();
  });
});

it('keeps journals and settings of the editor for programs that run without it', async () => {
  const { setup } = agentPlaces(place().services.environment);
  expect(await readSetup(setup)).toBeNull();
  const settings = { ...standardSettings, strategy: 'checkpoint' };
  const kept = { journals: '/journals', settings, writer: { kind: 'nobody' } } as const;
  await writeSetup(setup, kept);
  expect(await readSetup(setup)).toEqual(kept);
});

const now = '2026-01-02T03:04:05.000Z';

interface Here {
  readonly services: AgentServices;
  readonly session: string;
  readonly file: string;
}

function place(): Here {
  const home = mkdtempSync(join(tmpdir(), 'strata-inside-'));
  const file = join(home, 'session.jsonl');
  copyFileSync(sample, file);
  const { id } = JSON.parse(readFileSync(file, 'utf8').split('\n')[0] ?? '');
  const services = {
    environment: { home, variables: {} },
    journals: join(home, 'journals'),
    settings: () => standardSettings,
    writer: () => ({ kind: 'nobody' }) as const,
    now: () => now,
  };
  return { services, session: id, file };
}

/** The session is stored where pi looks for those that were started in this folder. */
function inFolder(folder: string): Here {
  const here = place();
  const sessions = join(here.services.environment.home, '.pi/agent/sessions/--folder--');
  mkdirSync(sessions, { recursive: true });
  const [header = '', ...lines] = readFileSync(here.file, 'utf8').split('\n');
  const file = join(sessions, `2026-01-01T00-00-00-000Z_${here.session}.jsonl`);
  writeFileSync(file, [JSON.stringify({ ...JSON.parse(header), cwd: folder }), ...lines].join('\n'));
  return { ...here, file };
}

/** Appends another turn in the format of the sample. */
function goOn({ file }: Here, prompt: string): void {
  const said = (role: string, text: string) => {
    const message = { role, content: [{ type: 'text', text }] };
    return `${JSON.stringify({ type: 'message', timestamp: now, message })}\n`;
  };
  appendFileSync(file, said('user', prompt) + said('assistant', 'Done.'));
}

function withoutAutomation({ services, ...rest }: Here): Here {
  const automation = { ...standardSettings.automation, enabled: false };
  return { ...rest, services: { ...services, settings: () => ({ ...standardSettings, automation }) } };
}

/** A person who chose this model, or who was not asked yet, with an agent that compacts soon. */
function writtenBy({ services, ...rest }: Here, model: LanguageModel | null): Here {
  const settings = () => ({
    ...standardSettings,
    parameters: { ladder: { trigger: 60_000, target: 15_000, keepRecentTokens: 4000 } },
  });
  if (model === null) return { ...rest, services: { ...services, settings, writer: () => ({ kind: 'unanswered' }) } };
  const summarizer = modelSummarizer(model, { maxPromptTokens: 100_000 });
  const tools: ToolsOutcome = { kind: 'ready', tools: { ...toolsWithoutModel, summarizer, model } };
  return { ...rest, services: { ...services, settings, writer: () => ({ kind: 'model', tools: async () => tools }) } };
}

function requestOf({ session, file }: Here, changes: Partial<AgentRequest>): AgentRequest {
  const named = { session, file, folder: null };
  const asked = { trigger: 'manual', instructions: null, ownFailed: false, text: null } as const;
  return { action: 'compact', ...named, ...asked, ...changes };
}

function ask(here: Here, changes: Partial<AgentRequest>): Promise<AgentAnswer> {
  return answerAgent('pi', requestOf(here, changes), here.services, new AbortController().signal);
}

function askClaude(here: Here, file: string, messages: unknown): Promise<AgentAnswer> {
  const session = JSON.parse(
    readFileSync(file, 'utf8')
      .split('\n')
      .find((line) => line.includes('"sessionId"')) ?? '{}',
  ).sessionId;
  const request = requestOf(here, { session, file, messages });
  return answerAgent('claude-code', request, here.services, new AbortController().signal);
}

function compacted(answer: AgentAnswer): CompactedAnswer {
  if (answer.kind !== 'compacted') throw new Error(answer.message);
  return answer;
}

interface WrittenRecord {
  readonly kind: string;
  readonly effect?: string;
  readonly strategy?: string;
  readonly run?: number;
  readonly summarizer?: { readonly model: string | null };
}

function recordsIn({ services: { journals } }: Here): WrittenRecord[] {
  const names = readdirSync(journals).filter((name) => name.endsWith('.jsonl'));
  return names.flatMap((name) =>
    readFileSync(join(journals, name), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line).record),
  );
}
