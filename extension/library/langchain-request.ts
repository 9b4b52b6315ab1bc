import { type BaseMessage, SystemMessage } from '@langchain/core/messages';
import { convertToOpenAITool } from '@langchain/core/utils/function_calling';
import type { AgentMiddleware } from 'langchain';
import type { ThreadPlace } from '../conversations/checkpoints/thread-branches';
import { type ToolDefinitionsPart, textOf } from '../engine/conversation/entry';
import { rewritten } from '../middleware/formats/format';
import { isPrompt, isSummary, langchainFormat, saidIn } from '../middleware/formats/langchain';
import type { Outgoing } from '../middleware/recognition/outgoing';
import { type ChangedMessages, isSet, type ProviderSide } from './framework-call';

export type LangchainMiddleware = AgentMiddleware<undefined, undefined, unknown, readonly []>;

type WrapModelCall = NonNullable<LangchainMiddleware['wrapModelCall']>;

export type ModelRequest = Parameters<WrapModelCall>[0];

export type ModelHandler = Parameters<WrapModelCall>[1];

/**
 * Deep agents keep the whole history in their state, even if their summary replaces it in the request. Puts the live prompt back, verbatim,
 * after such a summary.
 */
export function withLivePrompt(request: ModelRequest): ModelRequest {
  const { messages, state } = request;
  const [first, ...others] = messages;
  if (first === undefined || !isSummary(first)) return request;
  const prompt = state.messages.findLast(isPrompt);
  if (prompt === undefined || others.some((message) => isSame(message, prompt))) return request;
  return { ...request, messages: [first, prompt, ...others] };
}

function isSame(one: BaseMessage, other: BaseMessage): boolean {
  return one === other || (one.id !== undefined && one.id === other.id);
}

/** The system prompt is separate from the messages; one without text is not sent. */
export function messagesOf({ systemMessage, messages }: ModelRequest): readonly BaseMessage[] {
  return hasText(systemMessage) ? [systemMessage, ...messages] : messages;
}

function hasText(systemMessage: SystemMessage | undefined): systemMessage is SystemMessage {
  return systemMessage !== undefined && systemMessage.text !== '';
}

/** Providers take one system message, before all others, so the core becomes a part of it. */
export function requestWith(request: ModelRequest, { groups, outgoing }: ChangedMessages<BaseMessage>): ModelRequest {
  const core = outgoing.flatMap((one) => (isCore(one) ? [textOf(one.message.parts)] : [])).join('\n\n');
  const rest = outgoing.filter((one) => !isCore(one));
  const messages = rewritten(langchainFormat, groups, rest);
  const [first, ...others] = messages;
  const leads = first !== undefined && saidIn(first).role === 'system';
  if (hasText(request.systemMessage)) {
    if (core === '') return { ...request, messages: others };
    return { ...request, messages: others, systemMessage: withCore(request.systemMessage, core) };
  }
  if (core === '') return { ...request, messages };
  if (leads) return { ...request, messages: [withCore(first, core), ...others] };
  return { ...request, messages, systemMessage: new SystemMessage(core) };
}

function isCore(one: Outgoing): one is Extract<Outgoing, { kind: 'made' }> {
  return one.kind === 'made' && one.message.kind === 'core';
}

/** Appended after the existing messages, so that cache marks before it stay where they are. */
function withCore({ content, id, name, additional_kwargs }: BaseMessage, core: string): SystemMessage {
  const more = { ...(id === undefined ? {} : { id }), ...(name === undefined ? {} : { name }), additional_kwargs };
  if (typeof content === 'string') return new SystemMessage({ ...more, content: `${content}\n\n${core}` });
  return new SystemMessage({ ...more, content: [...content, { type: 'text', text: `\n\n${core}` }] });
}

type Tool = ModelRequest['tools'][number];

/** Schemas are made once for each tool, because that takes longer than the rest of a request. */
const schemas = new WeakMap<Tool, string>();

export function toolsOf({ tools }: ModelRequest): ToolDefinitionsPart | null {
  if (tools.length === 0) return null;
  return { type: 'tool_definitions', names: tools.map(toolName), text: `[${tools.map(schemaOf).join(',')}]` };
}

function toolName(tool: Tool): string {
  return String(tool.name ?? ('type' in tool ? tool.type : 'tool'));
}

function schemaOf(tool: Tool): string {
  const known = schemas.get(tool);
  if (known !== undefined) return known;
  const schema = JSON.stringify(convertToOpenAITool(tool));
  schemas.set(tool, schema);
  return schema;
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

/** Models have their name in a field: each integration uses one of these, and `initChatModel` has it among its defaults. */
export function modelName(model: unknown): string {
  const fields = fieldsOf(model);
  const { model: name, modelName: older, model_name: oldest } = fields;
  const given = [name, older, oldest, fieldsOf(fields._defaultConfig).model].find((one) => typeof one === 'string');
  return typeof given === 'string' ? given : 'model';
}

/** Settings about the context: of the model, of what is bound to it, and of this request only. */
export function providerSideOf({ model, modelSettings }: ModelRequest): ProviderSide {
  const fields = fieldsOf(model);
  const places = [fields, fieldsOf(fields.modelKwargs), fieldsOf(fields.invocationKwargs), fieldsOf(modelSettings)];
  const set = places.flatMap((place) => Object.entries(place)).filter(([, value]) => isSet(value));
  return {
    compacts: set.filter(compacts).map(([name]) => name),
    remembers: set.filter(([name]) => name === 'previous_response_id').map(([name]) => name),
  };
}

function compacts([name, value]: readonly [string, unknown]): boolean {
  if (name === 'truncation') return value === 'auto';
  return name === 'contextManagement' || name === 'context_management';
}

/** A call of a model by an agent, for the options that name its conversation. */
export interface LangchainCallInfo {
  /** `thread_id` of the agent's configuration, followed by the place of a sub-agent in the run, if it is one. */
  readonly threadId: string | undefined;
  /** The agent's configuration. */
  readonly configurable: Readonly<Record<string, unknown>>;
  /** The agent's run-time context. */
  readonly context: unknown;
}

export function callInfo({ runtime }: Pick<ModelRequest, 'runtime'>): LangchainCallInfo {
  const configurable = fieldsOf(runtime.configurable);
  const { thread_id: thread } = configurable;
  const within = placeWithin(configurable);
  const threadId = typeof thread === 'string' ? [thread, within].filter((part) => part !== '').join('/') : undefined;
  return { threadId, configurable, context: runtime.context };
}

/** Place of the agent in the run of another one; empty for the outermost. */
function placeWithin({ checkpoint_ns: place }: Fields): string {
  return typeof place === 'string' ? place.split('|').slice(0, -1).join('|') : '';
}

/** Where a checkpointer keeps the state of a call; null if the agent has none. */
export function checkpointedPlace({ runtime }: Pick<ModelRequest, 'runtime'>): Omit<ThreadPlace, 'scope'> | null {
  const configurable = fieldsOf(runtime.configurable);
  const { thread_id: thread, [checkpointerKey]: checkpointer } = configurable;
  if (typeof thread !== 'string' || typeof checkpointer !== 'object' || checkpointer === null) return null;
  return { checkpointer, thread, within: placeWithin(configurable) };
}

/** Under this name LangGraph passes a checkpointer to the agents within an agent. */
const checkpointerKey = '__pregel_checkpointer';
