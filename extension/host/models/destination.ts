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

const whatIsSent =
  'What is compacted is sent there: what you and the agent said, and what its tools were given and returned, files included.';

const nothingIsSent = 'It runs on this machine; nothing leaves it.';
const notEncrypted = ' The connection is not encrypted.';

/** Throws `ModelFailed` for an address that cannot be one. */
export function openAiDestination(baseUrl: string, model: string): Destination {
  const { baseUrl: address, host, isLocal, isEncrypted } = endpointOf(baseUrl);
  return {
    id: `openai ${address}`,
    name: `${model} at ${host}`,
    isLocal,
    sent: isLocal ? nothingIsSent : `${whatIsSent}${isEncrypted ? '' : notEncrypted}`,
  };
}

/** Which service runs a model of VS Code is known to the extension that brings it, and shows in the model's id. */
export function vscodeDestination(id: string): Destination {
  return { id: `vscode ${id}`, name: `${id}, a language model of VS Code`, isLocal: false, sent: whatIsSent };
}
