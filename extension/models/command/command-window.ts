import type { ModelCommand } from './model-command';

/**
 * Tokens of input that the model of a command takes: by the model's name, which the person chose or wrote into a command line
 * of their own, else by the program's own choice. Null if both are unknown.
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
