import { describe, expect, it } from 'vitest';
import {
  amount,
  joined,
  LocalizableError,
  localizable,
  portableText,
  rebuiltText,
  withValues,
} from '../../../extension/engine/wording/localizable-text';

const call = localizable('{0} (model {1})', 'POST http://127.0.0.1/v1', 'small');
const failure = localizable('{0} failed with status {1}: {2}.', call, 500, 'no {0} here');

describe('localizable text', () => {
  it('gives English with its values as a string and in JSON, also for nested texts', () => {
    const english = 'POST http://127.0.0.1/v1 (model small) failed with status 500: no {0} here.';
    expect(String(failure)).toBe(english);
    expect(JSON.stringify({ message: failure })).toBe(JSON.stringify({ message: english }));
  });

  it('keeps a placeholder without a value', () => {
    expect(String(localizable('{0} and {1}', 'one'))).toBe('one and {1}');
  });

  it('joins texts with spaces and keeps each of them whole for translators', () => {
    const both = joined(failure, localizable('Is the API key set and correct?'));
    expect(String(both)).toBe(`${failure} Is the API key set and correct?`);
    expect(both.values).toContain(failure);
  });

  it('changes the values of nested texts as well', () => {
    expect(String(withValues(failure, (value) => value.replace('small', '•••')))).toContain('(model •••)');
  });

  it('survives the way to another thread', () => {
    expect(rebuiltText(structuredClone(portableText(failure)))).toEqual(failure);
  });

  it('separates the thousands of amounts, and of no other numbers', () => {
    const text = localizable('{0} tokens at port {1}', amount(40_000.4), 12_345);
    expect(String(text)).toBe('40,000 tokens at port 12345');
    expect(rebuiltText(structuredClone(portableText(text)))).toEqual(text);
  });

  it('localizable text is the English message of an error', () => {
    expect(new LocalizableError(failure).message).toBe(String(failure));
  });
});
