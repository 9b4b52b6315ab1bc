import * as l10n from '@vscode/l10n';
import { afterEach, describe, expect, it } from 'vitest';
import { ModelFailed } from '../../../extension/engine/block/language-model';
import { OperationRefused } from '../../../extension/engine/journal/operation-refused';
import { amount, localizable } from '../../../extension/engine/wording/localizable-text';
import { ResultsUnusable } from '../../../extension/evaluation/measure/evaluation-results';
import { type GatewayOptions, startGateway } from '../../../extension/gateway/gateway';
import { GatewayNotStarted } from '../../../extension/gateway/server';
import { failureText, translated } from '../../../extension/host/failures/failure-text';
import { asRefusal } from '../../../extension/inspection/fork/forkable';
import { errorOf, failureOf } from '../../../extension/platform/threads/failure';
import { ForkRefused } from '../../../extension/sessions/fork/fork-format';

const gatewayOptions: GatewayOptions = {
  keep: () => Promise.reject(new Error('No request is expected.')),
  windowOf: () => 200_000,
  notify: () => undefined,
  port: 70_000,
};

describe('the message of a failure', () => {
  afterEach(() => l10n.config({ contents: {} }));

  it('the message of a failure is the English sentence of a refusal with its values, if there is no translation', () => {
    const refusal = new OperationRefused('Compaction #{0} is already undone.', [3]);
    expect([refusal.message, failureText(refusal)]).toEqual(Array(2).fill('Compaction #3 is already undone.'));
  });

  it('an amount in a message has its thousands apart as this machine writes them', () => {
    expect(translated(localizable('{0} tokens', amount(40_000)))).toBe(`${(40_000).toLocaleString()} tokens`);
  });

  it('the message of a failure is the translated sentence of a refusal with its values', () => {
    l10n.config({
      contents: { 'Compaction #{0} is already undone.': 'Verdichtung Nr. {0} ist schon zurückgenommen.' },
    });
    expect(failureText(new OperationRefused('Compaction #{0} is already undone.', [3]))).toBe(
      'Verdichtung Nr. 3 ist schon zurückgenommen.',
    );
  });

  it('the message of a failure is the translated text of a model’s failure, with the nested name of the call', () => {
    l10n.config({
      contents: { '{0} failed with status {1}.': '{0}: Status {1}.', '{0} (model {1})': '{0} (Modell {1})' },
    });
    const text = localizable(
      '{0} failed with status {1}.',
      localizable('{0} (model {1})', 'POST http://a', 'small'),
      500,
    );
    expect(failureText(new ModelFailed('unavailable', text))).toBe('POST http://a (Modell small): Status 500.');
  });

  it('the message of a failure is the text of a model from outside as it is', () => {
    expect(failureText(new ModelFailed('unavailable', 'The server is down.'))).toBe('The server is down.');
  });

  it('the message of a failure is the translated reason why a session was not forked', () => {
    l10n.config({ contents: { 'Nothing was said before this prompt.': 'Vor diesem Prompt steht nichts.' } });
    const refusal = asRefusal(new ForkRefused(localizable('Nothing was said before this prompt.')));
    expect(failureText(refusal)).toBe('Vor diesem Prompt steht nichts.');
  });

  it('the message of a failure is the translated reason why results cannot be used, with file and line, also from a thread', () => {
    const text = '{0}:{1}: this line is not a valid result: {2}.';
    l10n.config({ contents: { [text]: '{0}:{1}: kein gültiges Ergebnis: {2}.', 'it is not JSON': 'kein JSON' } });
    const unusable = new ResultsUnusable(localizable(text, 'a.jsonl', 3, localizable('it is not JSON')));
    const german = 'a.jsonl:3: kein gültiges Ergebnis: kein JSON.';
    expect(failureText(unusable)).toBe(german);
    expect(failureText(errorOf(structuredClone(failureOf(unusable))))).toBe(german);
  });

  it('the message of a failure is the translated reason why the gateway did not start', async () => {
    l10n.config({ contents: { 'There is no port {0}.': 'Port {0} gibt es nicht.' } });
    const refused = await startGateway(gatewayOptions).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(GatewayNotStarted);
    expect(failureText(refused)).toBe('Port 70000 gibt es nicht.');
  });

  it('the message of a failure is the message of any other error', () => {
    expect(failureText(new Error('The line is down.'))).toBe('The line is down.');
  });
});
