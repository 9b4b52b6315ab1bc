import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type LanguageModel, ModelFailed, type Prompt } from '../../extension/engine/block/language-model';
import { minimumCalls } from '../../extension/evaluation/count-calls';
import { defaultHeader, playerNames } from '../../extension/evaluation/default-run';
import { readResults } from '../../extension/evaluation/measure/evaluation-results';
import { reader } from '../../extension/evaluation/measure/probes/reader';
import { unitKey } from '../../extension/evaluation/measure/results';
import { playHere } from '../../extension/evaluation/play-here';
import { type EvaluationStart, evaluateHere } from '../../extension/evaluation/threads/evaluate-here';
import { type ReplayStart, replayHere } from '../../extension/evaluation/threads/replay-here';
import type { WorkOptions } from '../../extension/evaluation/threads/work-in-thread';
import { Evaluations } from '../../extension/host/evaluation/evaluations';
import type { EvaluationServices } from '../../extension/host/evaluation/services';
import type { EvaluationState } from '../../extension/protocol/evaluation';
import type { SessionListItem } from '../../extension/protocol/view';
import { sessionsIn } from '../../extension/sessions/sessions-in';
import { toolsWithoutModel } from '../../extension/summarizers/without-model';
import { smallTask } from '../builders/evaluation-task';

/** A fake editor for evaluations, with prepared answers to its questions. */
const editor = vi.hoisted(() => ({
  pick: '' as string | null,
  files: [] as { fsPath: string }[],
  agrees: true,
  asked: [] as string[],
  written: new Map<string, string>(),
}));

vi.mock('vscode', () => {
  const t = (text: string, ...values: unknown[]) => text.replace(/\{(\d)\}/g, (_, at) => String(values[Number(at)]));
  const file = (fsPath: string) => ({ fsPath, path: fsPath });
  return {
    l10n: { t },
    EventEmitter: class {
      readonly #listeners = new Set<(value: unknown) => void>();
      readonly event = (listener: (value: unknown) => void) => this.#listeners.add(listener);
      fire = (value: unknown) => {
        for (const listener of this.#listeners) listener(value);
      };
      dispose = () => this.#listeners.clear();
    },
    ProgressLocation: { Notification: 15, Window: 10 },
    Uri: { file, joinPath: (base: { fsPath: string }, name: string) => file(`${base.fsPath}/${name}`) },
    window: {
      withProgress: (_: unknown, work: (...given: unknown[]) => unknown) =>
        work({ report: () => undefined }, { onCancellationRequested: () => ({ dispose: () => undefined }) }),
      showQuickPick: async (picks: { label: string }[]) => picks.find(({ label }) => label === editor.pick),
      showOpenDialog: async () => editor.files,
      showSaveDialog: async ({ defaultUri }: { defaultUri: unknown }) => defaultUri,
      showInformationMessage: async () => undefined,
      showWarningMessage: async (question: string, { detail }: { detail: string }, button: string) => {
        editor.asked.push(question, detail);
        return editor.agrees ? button : undefined;
      },
    },
    workspace: {
      workspaceFolders: [{ uri: file('/workspace') }],
      fs: {
        writeFile: async ({ path }: { path: string }, bytes: Uint8Array) => {
          editor.written.set(path, new TextDecoder().decode(bytes));
        },
      },
    },
  };
});

/** Built threads do not exist in a test, so the same work runs here, on less data. */
vi.mock('../../extension/evaluation/threads/work-in-thread', () => ({
  workInThread: async (program: string, start: EvaluationStart | ReplayStart, options: WorkOptions) => {
    const { signal, onProgress = () => undefined, onQuestion } = options;
    const ask = async (question: unknown) =>
      await onQuestion?.(question, () => undefined, new AbortController().signal);
    const work = { signal, onProgress, ask };
    if (program === 'replaying') return await replayHere(start as ReplayStart, work);
    const evaluation = start as EvaluationStart;
    if (evaluation.what !== 'quick') return await evaluateHere(evaluation, work);
    return await evaluateHere({ ...evaluation, ...little, playingThread: null }, work);
  },
}));
/** The sentence encoder takes most of the time of a run. */
vi.mock('../../extension/models/embeddings/local', async () => {
  const { wordEmbedder } = await import('../builders/run');
  return { localEmbedder: wordEmbedder };
});
vi.mock('../../extension/host/evaluation/reading/reading-worker', async () => {
  const { ResultsReader } = await import('../../extension/host/evaluation/reading/results-reader');
  return {
    ReadingWorker: class extends ResultsReader {
      readonly dispose = () => undefined;
    },
  };
});

const little = {
  tasks: ['queue-recommendation'],
  contenders: [
    { strategy: 'truncation', core: 'none' },
    { strategy: 'naive', core: 'none' },
  ],
} as const;

const root = mkdtempSync(join(tmpdir(), 'strata-evaluations-'));
afterAll(() => rmSync(root, { recursive: true }));

let folders = 0;
let folder: string;
let logged: string[];
const quick = () => join(folder, 'quick', 'results.jsonl');
const linesOf = (path: string) => readResults(path, readFileSync(path, 'utf8')).results;

beforeEach(() => {
  folders += 1;
  folder = join(root, String(folders));
  logged = [];
  Object.assign(editor, { pick: null, files: [], agrees: true, asked: [] });
  editor.written.clear();
});

function evaluations(changes: Partial<EvaluationServices> = {}): Evaluations {
  const log = (message: string) => void logged.push(message);
  return new Evaluations({
    folder,
    programs: { evaluating: 'evaluating', playing: 'playing', replaying: 'replaying', reading: 'reading' },
    page: root,
    study: join(root, 'study.jsonl'),
    madeWith: { strata: '1.0.0', node: 'v24' },
    sessions: { read: async () => [], isOfOpenFolder: () => false },
    models: { toolsFor: async () => ({ kind: 'ready', tools: toolsWithoutModel, maxPromptTokens: null }) },
    log: { info: log, warn: log, error: log },
    ...changes,
  });
}

/** Notifications of the panel, in order. */
function told(of: Evaluations): EvaluationState[] {
  const states: EvaluationState[] = [];
  of.onDidChange((state) => states.push(state));
  return states;
}

function stopAt(of: Evaluations, done: number): void {
  of.onDidChange(({ running }) => {
    if (running && running.of > 0 && running.done >= done) of.stop();
  });
}

const unitsDone = async (of: Evaluations) => (await of.read('read-evaluation', { filter: {} })).report?.units ?? null;

describe('the study that comes with Strata', () => {
  it('is shown when it is asked for, until something is run', async () => {
    const one = evaluations({ study: join(import.meta.dirname, '../../media/study.jsonl') });
    const states = told(one);
    one.showStudy();
    expect(states).toEqual([{ revision: 1, running: null }]);
    const { report, source } = await one.read('read-evaluation', { filter: {} });
    expect([report?.settings.respondent.kind, source]).toEqual(['model', 'Strata’s study']);
    await one.runQuick('panel');
    expect((await one.read('read-evaluation', { filter: {} })).report?.settings.respondent.kind).toBe('reader');
  });
});

describe('the quick run', () => {
  it('reports its progress and shows its results at the end', async () => {
    const one = evaluations();
    const states = told(one);
    expect(await unitsDone(one)).toBeNull();
    await one.runQuick('panel');
    expect(states.some(({ running }) => running?.done === 1 && running.of === 2)).toBe(true);
    expect(states.at(-1)).toEqual({ revision: 1, running: null });
    expect(await unitsDone(one)).toEqual({ done: 2, of: 2 });
  });

  it('continues after it was stopped', async () => {
    const one = evaluations();
    stopAt(one, 1);
    await one.runQuick('panel');
    expect(await unitsDone(one)).toEqual({ done: 1, of: 2 });
    const [first] = linesOf(quick()).units;
    const two = evaluations();
    await two.runQuick('panel');
    expect(linesOf(quick()).units[0]).toEqual(first);
    expect(await unitsDone(two)).toEqual({ done: 2, of: 2 });
  });

  it('refuses a second run, and the first one continues', async () => {
    const one = evaluations();
    const running = one.runQuick('panel');
    await expect(one.runQuick('notification')).rejects.toThrow('Wait until this is done, or stop it');
    await expect(one.runSessions('panel')).rejects.toThrow('Wait until this is done');
    await running;
    expect(await unitsDone(one)).toEqual({ done: 2, of: 2 });
  });

  it.each([
    ['damaged', () => '{"kind":"header"\nnonsense\n'],
    ['of other settings', () => JSON.stringify(otherHeader()).concat('\n')],
    ['empty', () => ''],
  ])('replaces results that are %s', async (_, content) => {
    await mkdir(join(folder, 'quick'), { recursive: true });
    writeFileSync(quick(), content());
    const one = evaluations();
    await one.runQuick('panel');
    expect(await unitsDone(one)).toEqual({ done: 2, of: 2 });
    expect(readFileSync(join(folder, 'quick', 'results.earlier.jsonl'), 'utf8')).toBe(content());
  });
});

describe('sessions', () => {
  const session = join(import.meta.dirname, '../fixtures/claude-code-2.1.330/after-compaction.jsonl');

  it('sessions are replayed without changing them, and the log names what was left out', async () => {
    const before = readFileSync(session);
    const copy = join(root, 'sessions');
    await cp(session, join(copy, basename(session)));
    writeFileSync(join(copy, 'torn.jsonl'), '{"type": "user", ');
    Object.assign(editor, { pick: 'A folder…', files: [{ fsPath: copy }] });
    const one = evaluations();
    await one.runSessions('panel');
    const { replay } = await one.read('read-evaluation', { filter: {} });
    expect(replay?.sessions).toBe(1);
    expect(replay?.boundaries.length).toBeGreaterThan(0);
    expect(logged.join('\n')).toMatch(/torn\.jsonl/);
    expect(readFileSync(join(copy, basename(session)))).toEqual(before);
    expect(readFileSync(session)).toEqual(before);
  });

  it('sessions in a database are replayed one by one, as listed', async () => {
    const store = join(import.meta.dirname, '../fixtures/opencode-1.18.33/opencode.db');
    const [first] = await sessionsIn(store);
    const listed = [{ file: first?.address ?? '' }, { file: session }] as SessionListItem[];
    editor.pick = 'All sessions';
    const one = evaluations({ sessions: { read: async () => listed, isOfOpenFolder: () => false } });
    await one.runSessions('panel');
    const { replay } = await one.read('read-evaluation', { filter: {} });
    expect(first?.address).toMatch(/opencode\.db#/);
    expect(replay?.skipped.filter(({ file }) => file.startsWith(store))).toEqual([]);
    expect(replay?.sessions).toBe(2);
  });

  it('sessions are not replayed if the person cancels', async () => {
    const one = evaluations();
    const states = told(one);
    await one.runSessions('panel');
    expect(states).toEqual([]);
    expect(existsSync(folder)).toBe(false);
  });
});

describe('opened results', () => {
  it('opened results that cannot be read leave the shown results unchanged', async () => {
    const one = evaluations();
    await one.runQuick('panel');
    const damaged = join(root, 'damaged.jsonl');
    writeFileSync(damaged, '{}\n');
    editor.files = [{ fsPath: damaged }];
    await expect(one.choose()).rejects.toThrow(/damaged\.jsonl:1/);
    expect(await unitsDone(one)).toEqual({ done: 2, of: 2 });
  });

  it('opened results are shown with their path until the next evaluation, and can be exported', async () => {
    const one = evaluations();
    await one.runQuick('panel');
    const elsewhere = join(root, 'elsewhere.jsonl');
    await cp(quick(), elsewhere);
    editor.files = [{ fsPath: elsewhere }];
    await one.choose();
    expect((await one.read('read-evaluation', { filter: {} })).source).toBe(elsewhere);
    await one.export('csv');
    expect(editor.written.get('/workspace/strata-evaluation.csv')).toMatch(/queue-recommendation/);
  });
});

describe('a run with a model', () => {
  const withModel = (model: LanguageModel) =>
    evaluations({
      models: {
        toolsFor: async () => ({ kind: 'ready', tools: { ...toolsWithoutModel, model }, maxPromptTokens: 100_000 }),
      },
    });

  it('a run with a model is refused without a model, with advice', async () => {
    await expect(evaluations().runWithModel('panel')).rejects.toThrow(/Choose Summarizer/);
  });

  it('shows the minimum number of calls, and makes none without consent', async () => {
    const { model, prompts } = scripted();
    Object.assign(editor, { pick: 'A first look', agrees: false });
    const one = withModel(model);
    await one.runWithModel('panel');
    expect(editor.asked[0]).toMatch(/^Ask scripted at least \d+ times\?$/);
    expect(editor.asked[1]).toMatch(/nothing from your sessions/);
    expect(prompts).toEqual([]);
    expect(existsSync(join(folder, 'model', 'results.jsonl'))).toBe(false);
  });
});

describe('a run with a model and consent', () => {
  beforeEach(() => {
    editor.pick = 'A first look';
  });
  const withModel = (model: LanguageModel) =>
    evaluations({
      models: {
        toolsFor: async () => ({ kind: 'ready', tools: { ...toolsWithoutModel, model }, maxPromptTokens: 100_000 }),
      },
    });

  it('calls the model at least as often as announced, and names it in the results', async () => {
    const { model, prompts } = scripted();
    const one = withModel(model);
    await one.runWithModel('panel');
    const least = Number(/at least ([\d,.]+) times/.exec(editor.asked[0] ?? '')?.[1]);
    expect(least).toBeGreaterThan(0);
    expect(prompts.length).toBeGreaterThanOrEqual(least);
    const { report } = await one.read('read-evaluation', { filter: {} });
    expect(report?.units).toEqual({ done: 2, of: 2 });
    expect(report?.settings.respondent).toEqual({ kind: 'model', name: 'scripted' });
  });

  it('reports a failed unit with the reason, keeps complete units and continues with the rest', async () => {
    const failing = scripted(40);
    await expect(withModel(failing.model).runWithModel('panel')).rejects.toThrow(
      /1 of 2 units were played.*queue-recommendation 1 \S+: The call was lost\./,
    );
    const { model } = scripted();
    const two = withModel(model);
    await two.runWithModel('panel');
    expect(editor.asked.at(-1)).toMatch(/The stopped run is continued: 1 units/);
    expect(await unitsDone(two)).toEqual({ done: 2, of: 2 });
  });
});

const toAnyQuestion = {
  goal: 'Choose.',
  constraints: ['Choose.'],
  settled: [],
  next: 'Choose.',
  acts: Array(2).fill({ choice: 'A', call: 'choose' }),
  rating: 3,
};

/** A model that chooses the first option and always states the same goal. It fails from this call on. */
function scripted(failsFrom = Number.POSITIVE_INFINITY) {
  const prompts: Prompt[] = [];
  const model: LanguageModel = {
    name: 'scripted',
    model: 'scripted',
    concurrency: 1,
    async complete(prompt) {
      prompts.push(prompt);
      if (prompts.length >= failsFrom) throw new ModelFailed('unavailable', 'The call was lost.');
      return { text: JSON.stringify(toAnyQuestion), tokens: { input: 1, output: 1 }, isCut: false };
    },
  };
  return { model, prompts };
}

describe('the minimum number of calls', () => {
  it('counts the questions and ratings of the remaining units', async () => {
    const task = smallTask();
    const names = { ...playerNames({ writing: toolsWithoutModel, respondent: reader, judge: null }), judge: 'judge' };
    const madeWith = { strata: '1', node: 'v24' };
    const header = defaultHeader({ tasks: [task], players: names, madeWith, time: '', contenders: little.contenders });
    const { signal } = new AbortController();
    const play = playHere([task], header.settings, { writing: toolsWithoutModel, respondent: reader, judge: null });
    const unit = { task: task.name, seed: 1, contender: little.contenders[1] };
    const { line } = await play(unit, signal);
    const readings = line.boundaries.flatMap(({ before, after }) => [before, after]);
    const asked = readings.reduce((total, { actions }) => total + 1 + actions.length, 0);
    expect(asked).toBeGreaterThan(0);
    expect(await minimumCalls([task], header, new Set(), signal)).toBe(2 * asked);
    expect(await minimumCalls([task], header, new Set([unitKey(unit)]), signal)).toBe(asked);
  });
});

function otherHeader() {
  const players = playerNames({ writing: toolsWithoutModel, respondent: reader, judge: null });
  const madeWith = { strata: '0.0.1', node: 'v24' };
  return defaultHeader({ tasks: [smallTask()], players, madeWith, time: '' });
}
