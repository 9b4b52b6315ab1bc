import * as vscode from 'vscode';
import type { WritingTools } from '../../engine/block/strategy';
import type { CompactionRecord } from '../../engine/journal/records';
import type { Rewriting } from '../../engine/run/change/rewrite';
import type { WritingSize } from '../../inside/writers/terms';
import { type Inspection, OperationRefused } from '../../inspection/inspection';
import type { RequestHandlers } from '../../protocol/rpc';
import type { RewritingView, WrittenTextView } from '../../protocol/view';
import { translated } from '../failures/failure-text';
import type { Inspector } from '../inspector';
import { chooseForBlock } from '../models/choose-summarizer';
import { RecentItems } from '../panel/recent-items';
import { seqOf } from '../view/compaction-ids';
import { lossView } from '../view/loss';
import type { DiffDocuments } from './diff-documents';

/** More texts than a person compares with one another. */
const mostRewritings = 20;

type Handled = 'write-again' | 'keep-rewriting' | 'open-rewriting-diff' | 'restore-text';

/** Has a model write a block again. The person sees both texts and chooses one. */
export function rewritingHandlers(inspector: Inspector, diffs: DiffDocuments): Pick<RequestHandlers, Handled> {
  const gone = () => vscode.l10n.t('This text no longer exists. Have it written again.');
  const rewritings = new RecentItems<Rewriting>(mostRewritings, { gone, ofOther: gone });
  return {
    'write-again': async ({ id }) => {
      const inspection = inspector.required();
      const seq = seqOf(id);
      const settings = await chooseForBlock(inspector.models, sizeOf(inspection, seq));
      if (settings === null) return null;
      const tools = await inspector.tools('manual', settings);
      const rewriting = await writtenAgain(inspector, inspection, seq, tools);
      return rewritingView(rewritings.remember(inspection, rewriting), rewriting, inspection);
    },
    'keep-rewriting': async ({ rewriting }) => {
      await inspector.change((inspection) =>
        inspection.blockEditor.applyRewriting(rewritings.read(inspection, rewriting)),
      );
    },
    'open-rewriting-diff': async ({ rewriting }) => {
      const { before, after } = rewritings.read(inspector.required(), rewriting);
      const title = vscode.l10n.t('Block #{0}: {1} and {2}', before.seq, writerOf(before), writerOf(after));
      await diffs.showTexts(`rewriting-${rewriting}`, before.text, after.text, title);
    },
    'restore-text': async ({ id }) => {
      await inspector.change((inspection) => inspection.blockEditor.restore(seqOf(id)));
    },
  };
}

/** Tokens that the model would read and write for this block. */
function sizeOf({ state }: Inspection, seq: number): WritingSize {
  const record = state.compactions.find((each) => each.record.seq === seq)?.record;
  return { of: 'block', sent: record?.tokensBefore ?? 0, written: record?.tokensAfter ?? 0 };
}

async function writtenAgain(
  inspector: Inspector,
  inspection: Inspection,
  seq: number,
  { summarizer }: WritingTools,
): Promise<Rewriting> {
  const label = vscode.l10n.t('Writing block #{0} again', seq);
  const outcome = await inspector.ask(label, (signal, onProgress) => {
    const onText = (text: string) => onProgress({ strategy: '', done: 0, of: 1, text });
    return inspection.blockEditor.rewrite(seq, { summarizer, signal, onText });
  });
  if (outcome.kind === 'written') return outcome.rewriting;
  throw new OperationRefused(vscode.l10n.t('The block stays as it is: {0}', translated(outcome.reason)));
}

function rewritingView(id: string, { before, after }: Rewriting, { context }: Inspection): RewritingView {
  const { calibration } = context.tokens;
  return {
    id,
    before: writtenText(before, calibration),
    after: writtenText(after, calibration),
    tokensSpent: after.tokensSpent,
  };
}

function writtenText(record: CompactionRecord, calibration: number): WrittenTextView {
  const { text, tokensAfter, loss } = record;
  const tokens = Math.round(tokensAfter * calibration);
  return { summarizer: writerOf(record), text, tokens, loss: lossView(loss, calibration) };
}

function writerOf({ summarizer: { name, model } }: CompactionRecord): string {
  return model ?? name;
}
