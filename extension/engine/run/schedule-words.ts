import { amount, type LocalizableText, localizable } from '../wording/localizable-text';
import type { ScheduleDecision } from './schedule';

/** Why automatic compaction by cost starts or waits, as a sentence. */
export function scheduleSentence(decision: ScheduleDecision): LocalizableText {
  switch (decision.kind) {
    case 'pays':
      return decision.requests === 1
        ? localizable(
            'Automatic compaction starts: it saves {0} tokens’ worth more than it costs over the next request expected.',
            amount(decision.saved),
          )
        : localizable(
            'Automatic compaction starts: it saves {0} tokens’ worth more than it costs over the {1} requests expected.',
            amount(decision.saved),
            decision.requests,
          );
    case 'dearer':
      return decision.requests === 1
        ? localizable(
            'Automatic compaction waits: it would cost {0} tokens’ worth more than it saves over the next request expected.',
            amount(decision.lost),
          )
        : localizable(
            'Automatic compaction waits: it would cost {0} tokens’ worth more than it saves over the {1} requests expected.',
            amount(decision.lost),
            decision.requests,
          );
    case 'nothing-to-take':
      return localizable('Automatic compaction waits: the context is hardly larger than it would leave.');
  }
}
