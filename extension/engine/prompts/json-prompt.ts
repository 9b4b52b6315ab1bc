import type { Prompt } from '../block/language-model';
import { quotationRule } from './voice';

/** A prompt for one JSON object: role, task, shape of the answer, and quoted material. */
export function jsonPrompt(
  role: string,
  task: readonly string[],
  shape: string,
  quotations: readonly string[],
): Prompt {
  return {
    system: [role, quotationRule].join('\n\n'),
    user: [
      task.join('\n'),
      `Answer with one JSON object of this shape and nothing else, no code fence, no comment:\n${shape}`,
      ...quotations,
      'Now answer with the JSON object.',
    ].join('\n\n'),
  };
}
