import type { Context } from '../../conversation/context';
import { untouchableOf } from '../../conversation/steps';
import { type LocalizableText, localizable } from '../../wording/localizable-text';

interface UntouchedSize {
  readonly name: LocalizableText;
  readonly tokens: number;
}

/** The parts of a context that no compaction touches, with their calibrated tokens, largest first. */
export function untouchedSizes({ messages, tokens }: Context): UntouchedSize[] {
  const { prompt, newestStep, has } = untouchableOf(messages);
  const counted = { prompt: 0, newestStep: 0, openCalls: 0 };
  for (const [index, message] of messages.entries()) {
    if (!has(index) || message.kind === 'system' || message.kind === 'core') continue;
    if (index === prompt) counted.prompt += message.tokens;
    else if (index >= newestStep) counted.newestStep += message.tokens;
    else counted.openCalls += message.tokens;
  }
  const calibrated = (count: number) => Math.round(count * tokens.calibration);
  const sizes = [
    { name: localizable('the system prompt'), tokens: tokens.byKind.system },
    { name: localizable('the protected core'), tokens: tokens.byKind.core },
    { name: localizable('earlier messages, not in this file'), tokens: tokens.byKind.earlier },
    { name: localizable('growth that no record explains'), tokens: tokens.byKind.unexplained },
    { name: localizable('your newest prompt'), tokens: calibrated(counted.prompt) },
    { name: localizable('the newest step'), tokens: calibrated(counted.newestStep) },
    { name: localizable('open calls'), tokens: calibrated(counted.openCalls) },
  ];
  return sizes.filter((size) => size.tokens > 0).sort((a, b) => b.tokens - a.tokens);
}
