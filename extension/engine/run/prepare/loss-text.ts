import { type LossReport, messagesIn, type VerbatimFate } from '../../block/loss';
import { amount, type LocalizableText, listed, localizable } from '../../wording/localizable-text';

/** A report in one line; null if it lists nothing. */
export function lossText(report: LossReport): LocalizableText | null {
  const { files, open, outputs } = report;
  const parts = [
    messagesText(report),
    shortenedText(report),
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
  if (all === 1) return onlyMessageText(whole === 1 ? 'whole' : shortened === 1 ? 'shortened' : 'gone');
  if (whole === all) return localizable('all {0} messages of the person are kept word for word', all);
  if (whole === 0) return localizable('none of {0} messages of the person is kept word for word', all);
  return whole === 1
    ? localizable('1 of {0} messages of the person is kept word for word', all)
    : localizable('{0} of {1} messages of the person are kept word for word', whole, all);
}

function onlyMessageText(fate: VerbatimFate): LocalizableText {
  if (fate === 'whole') return localizable('the message of the person is kept word for word');
  return fate === 'shortened'
    ? localizable('the message of the person is kept shortened')
    : localizable('the message of the person is not kept word for word');
}

function shortenedText(report: LossReport): LocalizableText | null {
  const { shortened } = report.messages;
  if (shortened === 0 || messagesIn(report) === 1) return null;
  return shortened === 1 ? localizable('1 is shortened') : localizable('{0} are shortened', shortened);
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
