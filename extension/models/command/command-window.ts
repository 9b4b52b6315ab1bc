import type { ModelCommand } from './model-command';

/**
 * Tokens of input that the model of a command takes: by the model's name where it is known, which a person chose or wrote in
 * the line of a command of their own, else what the program's own choice takes. Null where neither is known.
 */
export function commandWindow(
  { contextWindow, shown }: ModelCommand,
  model: string | null,
  windowOf: (model: string) => number | null,
): number | null {
  for (const word of model === null ? shown.split(/[\s=]+/) : [model]) {
    const known = windowOf(word);
    if (known !== null) return known;
  }
  return contextWindow;
}
