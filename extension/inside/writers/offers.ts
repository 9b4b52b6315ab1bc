import { type LocalizableText, localizable } from '../../engine/wording/localizable-text';
import type { ModelCommand } from '../../models/command/model-command';
import type { presets } from '../../models/command/presets';
import type { LocalModel } from '../../models/local-servers/local-servers';
import { addressProblem, endpointOf } from '../../models/openai/endpoint';
import { priceOf } from '../../models/prices';
import type { AgentId } from '../../sessions/session';
import type { WrittenWriter } from '../service/writer';
import {
  termsOfCommand,
  termsOfEditorModel,
  termsOfServer,
  termsOfUnknownServer,
  termsWithoutModel,
  type WriterTerms,
  type WritingSize,
} from './terms';

/** Writers of blocks that are available here. */
export interface FoundWriters {
  /** The agents whose sessions are compacted: their providers already have these sessions. */
  readonly agents: readonly AgentId[];
  /** The commands of agents that are installed here. */
  readonly commands: readonly ModelCommand[];
  /** Language models of VS Code. None where no editor runs. */
  readonly chats: readonly EditorModel[];
  /** The server in the settings; null without one. */
  readonly server: { readonly baseUrl: string; readonly model: string } | null;
  readonly local: readonly LocalModel[];
}

interface EditorModel {
  readonly id: string;
  readonly name: string;
  readonly vendor: string;
}

export type WriterChoice =
  | { readonly kind: 'command'; readonly command: ModelCommand }
  | { readonly kind: 'vscode'; readonly model: EditorModel }
  | {
      readonly kind: 'server';
      readonly baseUrl: string;
      readonly model: string;
      /** In tokens; null if it is not known. */
      readonly contextWindow: number | null;
    }
  /** A server whose address is not known yet. */
  | { readonly kind: 'other-server' }
  | { readonly kind: 'none' };

export interface WriterOffer extends WriterTerms {
  readonly choice: WriterChoice;
  readonly label: LocalizableText;
}

/**
 * The answers to the question who writes, best first: the session's own agent, a language model of VS Code, an OpenAI-compatible server, no
 * model. The first one works without further input, so it is preselected.
 */
export function writerOffers(found: FoundWriters, size: WritingSize | null): readonly [WriterOffer, ...WriterOffer[]] {
  const { agents, commands, chats, server, local } = found;
  const own = commands.filter(({ id }) => agents.some((agent) => commandIds[agent] === id));
  // Settings and variables may have any content.
  const setUp = server !== null && addressProblem(server.baseUrl) === null ? [{ ...server, contextWindow: null }] : [];
  const servers = [...setUp, ...local.slice(0, 1)];
  const [best, ...others] = [
    ...own.map((command) => commandOffer(command, true, size)),
    ...chats.slice(0, 1).map((chat) => editorOffer(chat, size)),
    ...servers.map((each) => serverOffer(each, size)),
    ...(own.length > 0 ? [] : commands.map((command) => commandOffer(command, false, size))),
  ];
  const otherServer: WriterOffer = {
    choice: { kind: 'other-server' },
    label: localizable('An OpenAI-compatible server…'),
    ...termsOfUnknownServer(null, size),
  };
  const none: WriterOffer = { choice: { kind: 'none' }, label: localizable('No model'), ...termsWithoutModel() };
  return best ? [best, ...others, otherServer, none] : [none, otherServer];
}

/** The answers, beginning with the one that the person gave on a terminal, if it is among them. */
export function answeredFirst(offers: readonly WriterOffer[], answered: WrittenWriter): readonly WriterOffer[] {
  const isAnswered = ({ choice }: WriterOffer) => isWriter(choice, answered);
  return [...offers.filter(isAnswered), ...offers.filter((offer) => !isAnswered(offer))];
}

function isWriter(choice: WriterChoice, written: WrittenWriter): boolean {
  if (choice.kind === 'command') return written.kind === 'command' && written.agent === choice.command.id;
  if (choice.kind === 'none') return written.kind === 'nobody';
  if (choice.kind !== 'server' || written.kind !== 'openai') return false;
  return written.baseUrl === choice.baseUrl && written.model === choice.model;
}

function commandOffer(command: ModelCommand, hasSession: boolean, size: WritingSize | null): WriterOffer {
  const { name, shown, cheapestModel } = command;
  return {
    choice: { kind: 'command', command },
    label:
      cheapestModel === null
        ? localizable('{0} ({1})', name, shown)
        : localizable('{0} ({1}, {2})', name, shown, cheapestModel),
    ...termsOfCommand({ name, price: priceOf(cheapestModel), hasSession }, size),
  };
}

function editorOffer(model: EditorModel, size: WritingSize | null): WriterOffer {
  return {
    choice: { kind: 'vscode', model },
    label: localizable('{0}, a language model of VS Code', model.name),
    ...termsOfEditorModel(model.vendor, size),
  };
}

function serverOffer(
  server: { readonly baseUrl: string; readonly model: string; readonly contextWindow: number | null },
  size: WritingSize | null,
): WriterOffer {
  const { baseUrl, model, contextWindow } = server;
  const { host, isLocal } = endpointOf(baseUrl);
  return {
    choice: { kind: 'server', baseUrl, model, contextWindow },
    label: localizable('{0} at {1}', model, host),
    ...termsOfServer(isLocal ? { host: null, price: null } : { host, price: priceOf(model) }, size),
  };
}

/** The command of an agent; absent if it has none. */
const commandIds: Readonly<Partial<Record<AgentId, (typeof presets)[number]['id']>>> = {
  'claude-code': 'claude',
  cline: 'cline',
  codex: 'codex',
  'copilot-cli': 'copilot',
  'gemini-cli': 'gemini',
  opencode: 'opencode',
  pi: 'pi',
  'qwen-code': 'qwen',
};
