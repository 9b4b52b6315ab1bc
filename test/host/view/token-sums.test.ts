import { globSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { contextTokensOf } from '../../../extension/engine/conversation/entry';
import { previewView } from '../../../extension/host/panel/previews';
import { openCompaction } from '../../../extension/host/view/compaction-detail';
import { historyView } from '../../../extension/host/view/history';
import { SessionViewBuilder } from '../../../extension/host/view/session-view';
import { Inspection } from '../../../extension/inspection/inspection';
import { openJournal } from '../../../extension/inspection/journal-store';
import type { PreviewView, Row, SessionView } from '../../../extension/protocol/view';
import { openSession } from '../../../extension/sessions/open';
import type { Session } from '../../../extension/sessions/session';
import { sessionsIn } from '../../../extension/sessions/sessions-in';
import { prepareSample } from '../../builders/inspection';
import { forks, settings } from '../../builders/view-surroundings';
import { fixtures, moreSamples } from '../../sessions/samples';

vi.mock('vscode', () => ({}));

const strategies = ['ladder', 'pipeline', 'checkpoint', 'superseded', 'prune'];
/** Target that makes every strategy act on a short session, as a share of the window. */
const parameters = { ladder: { target: 0.2 } };

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
const ofRows = (rows: readonly Row[]) => sum(rows.map(({ tokens }) => tokens));

/** Collects the sums that differ from their expected value; empty if all are right. */
class Sums {
  readonly wrong: string[] = [];
  equal(what: string, found: number | null | undefined, expected: number | null | undefined): void {
    if (found !== expected) this.wrong.push(`${what}: ${found} instead of ${expected}`);
  }
}

function sumsOfView(view: SessionView, name: string, sums: Sums): void {
  const { gauge, rows, core, compactions } = view;
  sums.equal(`${name}: segments of the gauge`, sum(Object.values(gauge.byKind)), gauge.total);
  const { earlier, unexplained } = gauge.byKind;
  const notLogged = gauge.derivedSystem + earlier + unexplained;
  sums.equal(`${name}: rows and what is not logged`, ofRows(rows) + notLogged, gauge.total);
  sums.equal(`${name}: core`, core.tokens, gauge.byKind.core);
  for (const kind of ['core', 'summary', 'goal_batch'] as const) {
    sums.equal(`${name}: rows of ${kind}`, ofRows(rows.filter((row) => row.kind === kind)), gauge.byKind[kind]);
  }
  for (const { block, tokens } of rows) {
    const listed = compactions.flatMap(({ blocks }) => blocks).find(({ id }) => id === block?.compactionId);
    if (!listed) continue;
    sums.equal(`${name}: block of ${listed.id}`, tokens, listed.tokensAfter);
    sums.equal(`${name}: replaced by ${listed.id}`, block?.tokensBefore, listed.tokensBefore);
  }
}

function sumsBeneath(builder: SessionViewBuilder, inspection: Inspection, view: SessionView, sums: Sums): void {
  for (const { id, tokensBefore } of view.compactions.flatMap(({ blocks }) => blocks)) {
    const rows = builder.rowsBeneath(inspection, openCompaction(id, inspection));
    sums.equal(`rows beneath ${id}`, ofRows(rows), tokensBefore);
  }
}

function sumsOfPreview(preview: PreviewView, name: string, sums: Sums): void {
  const standing = preview.blocks.filter(({ isBeneath }) => !isBeneath);
  const saved = sum(standing.map(({ tokensBefore, tokensAfter }) => tokensBefore - tokensAfter));
  sums.equal(`${name}: blocks`, saved - preview.tokensAdded, preview.tokensBefore - preview.tokensAfter);
  for (const [index, { before, tokensBefore, reason }] of preview.blocks.entries()) {
    sums.equal(`${name}: tokens in a unit of their own in a reason`, reason.match(/\d+ tokens\)/)?.length, undefined);
    const written = [...before.matchAll(/^── \w+ · (\d+) tokens$/gmu)].map(([, tokens]) => Number(tokens));
    sums.equal(`${name}: messages of block ${index}`, sum(written), tokensBefore);
  }
}

/** Only the provider's own number is marked as `reported`. */
function sumsOfReport({ context, session }: Inspection, name: string, sums: Sums): void {
  const { total, source, countedSince } = context.tokens;
  const reports = session.conversation.agentContext.flatMap(({ usage }) => (usage ? [contextTokensOf(usage)] : []));
  const reported = total - countedSince;
  sums.equal(`${name}: reported`, reported, source === 'reported' ? reports.findLast((one) => one === reported) : 0);
}

/** Maximum number of moments of one session whose sums are checked. */
const mostMoments = 25;

function sumsOfPast(inspection: Inspection, sums: Sums): void {
  const builder = new SessionViewBuilder();
  const { list } = inspection.moments;
  const every = Math.max(1, Math.ceil(list.length / mostMoments));
  for (const [index, moment] of list.entries()) {
    if (index % every !== 0 && index < list.length - 2) continue;
    const past = inspection.at(moment);
    const name = `at moment ${index} of ${list.length}`;
    const view = builder.build(past, settings, forks);
    sumsOfView(view, name, sums);
    sumsOfReport(past, name, sums);
    sumsBeneath(builder, past, view, sums);
  }
}

async function inspect({ session }: { readonly session: Session }): Promise<Inspection> {
  const { agent, id, file } = session;
  return await Inspection.of(session, await openJournal(await mkdtemp(join(tmpdir(), 'strata-')), { agent, id, file }));
}

const folders = [fixtures, ...(moreSamples === undefined ? [] : [moreSamples])];
const files = folders.flatMap((folder) =>
  globSync('**/*.{jsonl,json,db}', { cwd: folder }).map((name) => join(folder, name)),
);
const addresses = await Promise.all(
  files.map(async (file) => (file.endsWith('.db') ? (await sessionsIn(file)).map(({ address }) => address) : [file])),
);
/** Files beside a session, such as its settings, cannot be opened as sessions. */
const sessions = (await Promise.all(addresses.flat().map(async (address) => await openSession(address)))).flatMap(
  (outcome) => (outcome.kind === 'opened' ? [outcome] : []),
);

describe('all tokens on screen are in one unit', () => {
  it('the sessions of every agent are among the samples', () => {
    const agents = new Set(sessions.map(({ session }) => session.agent));
    expect([...agents].sort()).toEqual(
      [
        'claude-code',
        'cline',
        'codex',
        'copilot-cli',
        'gemini-cli',
        'opencode',
        'pi',
        'qwen-code',
        'vscode-chat',
      ].sort(),
    );
  });

  for (const opened of sessions) {
    it(`sums are sums, before, in and after each compaction of ${relative(fixtures, opened.session.file)}`, async () => {
      const sums = new Sums();
      for (const strategy of strategies) {
        const inspection = await inspect(opened);
        const builder = new SessionViewBuilder();
        sumsOfView(builder.build(inspection, settings, forks), 'now', sums);
        sumsOfReport(inspection, 'now', sums);
        const history = historyView(inspection);
        sums.equal('end of the chart', history.points.at(-1)?.tokens, inspection.context.tokens.total);
        if (strategy === 'ladder') await inspection.coreEditor.pin('constraint', 'Never touch the lock file.', null);
        const run = await prepareSample(inspection, strategy, parameters);
        sumsOfPreview(previewView('1', run), `preview of ${strategy}`, sums);
        if (run.records.length === 0) continue;
        await inspection.apply(run);
        const view = builder.build(inspection, settings, forks);
        sumsOfView(view, `after ${strategy}`, sums);
        sumsOfReport(inspection, `after ${strategy}`, sums);
        sumsBeneath(builder, inspection, view, sums);
        sums.equal(`after ${strategy}: the preview`, view.gauge.total, run.after.tokens.total);
        const listed = view.compactions.findLast(({ by }) => by === 'strata');
        sums.equal(`after ${strategy}: the list, before`, listed?.tokensBefore, run.before.tokens.total);
        sums.equal(`after ${strategy}: the list, after`, listed?.tokensAfter, run.after.tokens.total);
        const after = historyView(inspection);
        const mark = after.marks.find(({ id }) => id === listed?.id);
        sums.equal(`after ${strategy}: the chart, before`, mark?.before, run.before.tokens.total);
        sums.equal(`after ${strategy}: the chart, after`, mark?.after, run.after.tokens.total);
        sums.equal(`after ${strategy}: end of the chart`, after.points.at(-1)?.tokens, view.gauge.total);
        if (strategy === 'ladder') sumsOfPast(inspection, sums);
      }
      expect(sums.wrong).toEqual([]);
    });
  }
});
