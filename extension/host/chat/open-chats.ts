import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Part } from '../../engine/conversation/entry';
import { SessionGone } from '../../sessions/session-gone';
import { ConversationNotRead } from '../../sessions/strata/conversation-file';
import type { EntryRecord } from '../../sessions/strata/records';
import type { EditorConversation, EditorConversations } from '../conversations/editor-conversations';
import { failureText } from '../failures/failure-text';
import { continuationOf, type PastTurn, type Trail, trailOf } from './chat-history';
import { chatIdOf, pastTurns } from './history-reader';
import { attachmentParts } from './references';

/** A chat of VS Code and its conversation. */
export interface OpenChat {
  readonly conversation: EditorConversation;
  /** The newest message of this chat. */
  readonly leaf: string | null;
  readonly notices: readonly string[];
}

const chatsKey = 'strata.chats';
/** More chats than a person keeps open in one workspace. */
const mostChats = 300;

/** Finds the conversation of a chat, and the chat's position in it. */
export class OpenChats {
  constructor(
    private readonly conversations: EditorConversations,
    /** The conversations of the chats of this workspace; newest last. */
    private readonly state: vscode.Memento,
  ) {}

  async open({ toolInvocationToken }: vscode.ChatRequest, { history }: vscode.ChatContext): Promise<OpenChat> {
    const turns = pastTurns(history);
    const trail = trailOf(turns);
    const chatId = chatIdOf(toolInvocationToken);
    const known = trail.place?.conversation ?? this.conversationOf(chatId);
    const chat = known === null ? await this.#begin(trail) : await this.#find(known, trail, turns);
    await this.#remember(chatId, chat.conversation.id);
    await chat.conversation.goTo(chat.leaf);
    return chat;
  }

  /** Null if the chat has none yet, or is unknown. */
  conversationOf(chatId: string | null): string | null {
    return this.#chats.find(([id]) => id === chatId)?.[1] ?? null;
  }

  async #find(id: string, trail: Trail, turns: readonly PastTurn[]): Promise<OpenChat> {
    let conversation: EditorConversation;
    try {
      conversation = await this.conversations.open(id);
    } catch (error) {
      if (!(error instanceof ConversationNotRead || error instanceof SessionGone)) throw error;
      return await this.#rebuild(await this.#create(), turns, failureText(error));
    }
    const found = continuationOf(conversation.conversation, trail);
    switch (found.kind) {
      case 'found':
        return { conversation, leaf: found.leaf, notices: [] };
      case 'missing':
        return await this.#takeOver(conversation, found.leaf, found.turns);
      case 'lost':
        return await this.#rebuild(conversation, turns, lostMessage(conversation));
    }
  }

  /** A new chat, including turns in VS Code's history that Strata could not store. */
  async #begin({ since }: Trail): Promise<OpenChat> {
    const conversation = await this.#create();
    if (since.length > 0) return await this.#takeOver(conversation, null, since);
    return { conversation, leaf: null, notices: [] };
  }

  #create(): Promise<EditorConversation> {
    return this.conversations.create('chat');
  }

  async #rebuild(conversation: EditorConversation, turns: readonly PastTurn[], why: string): Promise<OpenChat> {
    const messages = turns.filter(({ command }) => command === undefined);
    const { leaf, notices } = await this.#takeOver(conversation, null, messages);
    return { conversation, leaf, notices: [why, ...notices] };
  }

  /** Adds the turns that only VS Code has to the conversation, as far as VS Code has them. */
  async #takeOver(
    conversation: EditorConversation,
    after: string | null,
    turns: readonly PastTurn[],
  ): Promise<OpenChat> {
    const records: EntryRecord[] = [];
    let leaf = after;
    const add = (role: 'user' | 'assistant', parts: readonly Part[], injected?: true) => {
      const id = `taken-over-${randomUUID()}`;
      const entry = { id, role, parts, timestamp: null, ...(injected ? { injected } : {}) };
      records.push({ type: 'entry', parent: leaf, entry });
      leaf = id;
    };
    for (const { prompt, references, answer } of turns) {
      add('user', [{ type: 'text', text: prompt }]);
      const attachments = await attachmentParts(references);
      if (attachments.length > 0) add('user', attachments, true);
      if (answer !== '') add('assistant', [{ type: 'text', text: answer }]);
    }
    if (records.length > 0) await conversation.append(records);
    return { conversation, leaf, notices: turns.length === 0 ? [] : [takenOver(turns.length)] };
  }

  get #chats(): readonly (readonly [chat: string, conversation: string])[] {
    return this.state.get(chatsKey, []);
  }

  async #remember(chatId: string | null, conversation: string): Promise<void> {
    if (chatId === null || this.conversationOf(chatId) === conversation) return;
    const others = this.#chats.filter(([id]) => id !== chatId);
    await this.state.update(chatsKey, [...others, [chatId, conversation]].slice(-mostChats));
  }
}

function lostMessage({ workbench }: EditorConversation): string {
  return vscode.l10n.t('The last message of this chat is not in its record any more ({0}).', workbench.session.file);
}

function takenOver(count: number): string {
  return vscode.l10n.t(
    'The record lacked {0} turn(s) of this chat. They were taken over as VS Code shows them, without what tools returned.',
    count,
  );
}
