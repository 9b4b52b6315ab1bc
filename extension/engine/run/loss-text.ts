import { type LossReport, messagesIn } from '../block/loss';
import { amount, type LocalizableText, listed, localizable } from '../wording/localizable-text';

/** What a report says in one line; null if nothing was replaced that it speaks of. */
export function lossText(report: LossReport): LocalizableText | null {
  const { files, open, outputs } = report;
  const parts = [
    messagesText(report),
    files.unnamed === 0 ? null : filesText(files.unnamed),
    open.unnamed === 0 ? null : openText(open.unnamed),
    outputs.count === 0 ? null : outputsText(outputs),
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : listed(parts);
}

function messagesText(report: LossReport): LocalizableText | null {
  const { whole, shortened } = report.messages;
  const all = messagesIn(report);
  if (all === 0) return null;
  if (whole === all) {
    return all === 1
      ? localizable('the message of the person stands word for word')
      : localizable('all {0} messages of the person stand word for word', all);
  }
  if (all === 1) {
    return shortened === 1
      ? localizable('the message of the person stands shortened')
      : localizable('the message of the person does not stand word for word');
  }
  const word = localizable('of {0} messages of the person {1} stand word for word', all, whole);
  return shortened === 0 ? word : localizable('{0} and {1} shortened', word, shortened);
}

function filesText(count: number): LocalizableText {
  return count === 1
    ? localizable('1 changed file is not named')
    : localizable('{0} changed files are not named', count);
}

function openText(count: number): LocalizableText {
  return count === 1 ? localizable('1 open item is not named') : localizable('{0} open items are not named', count);
}

function outputsText({ count, tokens }: LossReport['outputs']): LocalizableText {
  return count === 1
    ? localizable('1 tool output is replaced ({0} tokens)', amount(tokens))
    : localizable('{0} tool outputs are replaced ({1} tokens)', count, amount(tokens));
}

/** The report in the unit of the context, in which the provider counts. */
export function calibratedLoss(report: LossReport, calibration: number): LossReport {
  const { outputs } = report;
  return {
    ...report,
    outputs: {
      count: outputs.count,
      tokens: Math.round(outputs.tokens * calibration),
      largest: outputs.largest.map((one) => ({ ...one, tokens: Math.round(one.tokens * calibration) })),
    },
  };
}
