import type { Context } from '../conversation/context';
import { untouchableOf } from '../conversation/steps';

/** The parts of a context that no compaction touches, with their calibrated tokens, largest first. */
export function untouchedSizes({ messages, tokens }: Context): { readonly name: string; readonly tokens: number }[] {
  const { prompt, newestStep, has } = untouchableOf(messages);
  const counted = { 'the live prompt': 0, 'the newest step': 0, 'open calls': 0 };
  for (const [index, message] of messages.entries()) {
    if (!has(index) || message.kind === 'system' || message.kind === 'core') continue;
    if (index === prompt) counted['the live prompt'] += message.tokens;
    else if (index >= newestStep) counted['the newest step'] += message.tokens;
    else counted['open calls'] += message.tokens;
  }
  const sizes = [
    { name: 'the system prompt', tokens: tokens.byKind.system },
    { name: 'the protected core', tokens: tokens.byKind.core },
    ...Object.entries(counted).map(([name, count]) => ({ name, tokens: Math.round(count * tokens.calibration) })),
  ];
  return sizes.filter((size) => size.tokens > 0).sort((a, b) => b.tokens - a.tokens);
}
