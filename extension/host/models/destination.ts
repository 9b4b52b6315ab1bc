import * as l10n from '@vscode/l10n';
import type { ModelCommand } from '../../models/command/model-command';
import { customId } from '../../models/command/presets';
import { endpointOf } from '../../models/openai/endpoint';

/** Where session text is sent for a model call, described for a person's consent. */
export interface Destination {
  /** Equal for equal destinations. */
  readonly id: string;
  /** Display name, including the model. */
  readonly name: string;
  /** The consent question. Default: the question about summaries. */
  readonly question?: string;
  /** On this machine. */
  readonly isLocal: boolean;
  /** Describes what is sent. */
  readonly sent: string;
}

const whatIsSent = () =>
  l10n.t(
    'Compacted content is sent there: your messages, the agent’s messages, and the inputs and results of its tools, including files.',
  );

const whatIsPassed = () =>
  l10n.t(
    'The text is compacted content: your messages, the agent’s messages, and the inputs and results of its tools, including files.',
  );

/** The same destination for whole contexts. They are more than a summary requires, so they need a separate consent. */
export function askingDestination(destination: Destination): Destination {
  const { id, name, isLocal } = destination;
  return {
    id: `asking ${id}`,
    name,
    isLocal,
    question: l10n.t('Let {0} answer questions about this session?', name),
    sent: l10n.t(
      'The whole context is sent there with each question, as it was and as it is after the compaction: your messages, the agent’s messages, and the inputs and results of its tools, including files. For this model, this question is not asked again.',
    ),
  };
}

const nothingIsSent = () => l10n.t('It runs on this machine, and nothing is sent elsewhere.');
const notEncrypted = () => l10n.t('The connection is not encrypted.');

/** Throws `ModelFailed` for an invalid URL. */
export function openAiDestination(baseUrl: string, model: string): Destination {
  const { baseUrl: address, host, isLocal, isEncrypted } = endpointOf(baseUrl);
  return {
    id: `openai ${address}`,
    name: l10n.t('{0} at {1}', model, host),
    isLocal,
    sent: isLocal ? nothingIsSent() : [whatIsSent(), ...(isEncrypted ? [] : [notEncrypted()])].join(' '),
  };
}

/** A VS Code model. Only the extension that provides it knows its service, so the name shows the model's id. */
export function vscodeDestination(id: string): Destination {
  return {
    id: `vscode ${id}`,
    name: l10n.t('{0}, a language model of VS Code', id),
    isLocal: false,
    sent: whatIsSent(),
  };
}

/** A command on this machine. It passes the text on to the model that it is set up for. */
export function commandDestination({ id, name, program, shown }: ModelCommand): Destination {
  const isCustom = id === customId;
  return {
    id: isCustom ? `command ${shown}` : `command ${id}`,
    name: isCustom ? shown : l10n.t('{0} (the command `{1}`)', name, shown),
    isLocal: false,
    sent: [
      isCustom
        ? l10n.t(
            'Strata starts `{0}` on this machine for each summary and writes what is to be summarized to its standard input.',
            program,
          )
        : l10n.t(
            'Strata starts `{0}` on this machine for each summary, without tools, project files and a session of its own. It uses your sign-in and your quota, and sends the text to the model provider that {1} is set up for.',
            shown,
            name,
          ),
      whatIsPassed(),
    ].join(' '),
  };
}
