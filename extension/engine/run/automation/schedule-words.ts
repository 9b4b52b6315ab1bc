import { type Amount, amount, type LocalizableText, localizable } from '../../wording/localizable-text';
import type { ScheduleDecision } from './schedule';

/** Why automatic compaction by cost starts or waits, as a sentence. */
export function scheduleSentence(decision: ScheduleDecision): LocalizableText {
  switch (decision.kind) {
    case 'pays':
      return decision.requests === 1
        ? localizable(
            'Automatic compaction starts before the next message: over the next request it should save what {0} input tokens cost.',
            roughly(decision.saved),
          )
        : localizable(
            'Automatic compaction starts before the next message: over the next {1} requests it should save what {0} input tokens cost.',
            roughly(decision.saved),
            decision.requests,
          );
    case 'dearer':
      return dearerSentence(decision);
    case 'nothing-to-take':
      return localizable('Automatic compaction waits: it would make the context hardly smaller.');
  }
}

function dearerSentence({ lost, requests, untilCold }: Extract<ScheduleDecision, { kind: 'dearer' }>): LocalizableText {
  if (untilCold)
    return localizable(
      'Automatic compaction waits until the provider no longer has this context in its cache. Before that, it would cost more than it saves, by the price of {0} input tokens.',
      roughly(lost),
    );
  return requests === 1
    ? localizable(
        'Automatic compaction waits: over the next request it would cost more than it saves, by the price of {0} input tokens.',
        roughly(lost),
      )
    : localizable(
        'Automatic compaction waits: over the next {1} requests it would cost more than it saves, by the price of {0} input tokens.',
        roughly(lost),
        requests,
      );
}

/** Significant digits of an expectation. */
const digits = 2;

function roughly(tokens: number): Amount {
  return amount(Number(tokens.toPrecision(digits)));
}
