import * as l10n from '@vscode/l10n';
import { afterEach, describe, expect, it } from 'vitest';
import { OperationRefused } from '../../../extension/engine/journal/operation-refused';
import { failureText } from '../../../extension/host/failures/failure-text';

describe('the message of a failure', () => {
  afterEach(() => l10n.config({ contents: {} }));

  it('is the English sentence of a refusal with its values, if there is no translation', () => {
    const refusal = new OperationRefused('Compaction #{0} is already undone.', [3]);
    expect([refusal.message, failureText(refusal)]).toEqual(Array(2).fill('Compaction #3 is already undone.'));
  });

  it('is the translated sentence of a refusal with its values', () => {
    l10n.config({
      contents: { 'Compaction #{0} is already undone.': 'Verdichtung Nr. {0} ist schon zurückgenommen.' },
    });
    expect(failureText(new OperationRefused('Compaction #{0} is already undone.', [3]))).toBe(
      'Verdichtung Nr. 3 ist schon zurückgenommen.',
    );
  });

  it('is the message of any other error', () => {
    expect(failureText(new Error('The line is down.'))).toBe('The line is down.');
  });
});
