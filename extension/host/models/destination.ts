import * as l10n from '@vscode/l10n';
import { endpointOf } from '../../models/openai/endpoint';

/** Where the text of a session goes when a model is asked, in words that a person agrees to. */
export interface Destination {
  /** The same for the same place. */
  readonly id: string;
  /** With the model. */
  readonly name: string;
  /** What a person is asked; about summaries where there is none. */
  readonly question?: string;
  /** Nothing leaves this machine. */
  readonly isLocal: boolean;
  /** What goes there. */
  readonly sent: string;
}

const whatIsSent = () =>
  l10n.t(
    'What is compacted is sent there: what you and the agent said, and what its tools were given and returned, files included.',
  );

const nothingIsSent = () => l10n.t('It runs on this machine; nothing leaves it.');
const notEncrypted = () => l10n.t('The connection is not encrypted.');

/** Throws `ModelFailed` for an address that cannot be one. */
export function openAiDestination(baseUrl: string, model: string): Destination {
  const { baseUrl: address, host, isLocal, isEncrypted } = endpointOf(baseUrl);
  return {
    id: `openai ${address}`,
    name: l10n.t('{0} at {1}', model, host),
    isLocal,
    sent: isLocal ? nothingIsSent() : [whatIsSent(), ...(isEncrypted ? [] : [notEncrypted()])].join(' '),
  };
}

/** Which service runs a model of VS Code is known to the extension that brings it, and shows in the model's id. */
export function vscodeDestination(id: string): Destination {
  return {
    id: `vscode ${id}`,
    name: l10n.t('{0}, a language model of VS Code', id),
    isLocal: false,
    sent: whatIsSent(),
  };
}
