import type { CounterName, CountTokens } from './tokens';

/** Loads the tables of a counter, which takes a while. */
export async function counterNamed(name: CounterName): Promise<CountTokens> {
  switch (name) {
    case 'o200k':
      return (await import('./tokenizer')).countWithO200k;
    case 'estimate':
      return (await import('./token-estimate')).estimateTokens;
  }
}
