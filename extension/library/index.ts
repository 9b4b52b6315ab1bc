/**
 * The context of an agent: compacted when it has to be, with undo, and with a core of goals, constraints and decisions that
 * stays as it is. For Node, browsers and workers.
 *
 * @module strata
 */
export type { ItemProposal, Pin, ProposalOutcome } from '../engine/acts/core';
export type { Journal, JournalAccess } from '../engine/acts/journal-access';
export { OperationRefused } from '../engine/acts/operation-refused';
export type { AutomationDecision } from '../engine/compaction/automation';
export type { CompactionRecord, JournalRecord, SessionIdentity } from '../engine/compaction/journal';
export type { JournaledCompaction, JournalState } from '../engine/compaction/journal-state';
export {
  type Completion,
  type CompletionOptions,
  type Embedder,
  type LanguageModel,
  ModelFailed,
  type Prompt,
} from '../engine/compaction/language-model';
export type { LossReport } from '../engine/compaction/loss-report';
export type { CompactionPlan, Parameters, PlanInput, PlanOutcome } from '../engine/compaction/plan';
export { type PreparedRun, type RunProgress, UnknownStrategy } from '../engine/compaction/run';
export type { Summarizer, Summary, SummaryRequest } from '../engine/compaction/summary';
export type { UndoPlan } from '../engine/compaction/undo';
export type { VerificationMode } from '../engine/compaction/verify';
export type {
  Block,
  BlockMetadata,
  Context,
  ContextKind,
  ContextMessage,
  ContextTokens,
} from '../engine/conversation/context';
export type { Conversation } from '../engine/conversation/conversation';
export {
  type Entry,
  type ImagePart,
  type Part,
  type ReasoningPart,
  type Role,
  type TextPart,
  type ToolCallPart,
  type ToolResultPart,
  textOf,
  toolCalls,
  type Usage,
} from '../engine/conversation/entry';
export type { CountTokens } from '../engine/conversation/tokens';
export type { CoreItem, CoreItemStatus, CoreState, PinKind } from '../engine/core/core';
export type { HistoryEntry } from '../engine/policies/history';
export type { CompactionPolicy } from '../engine/policies/policy';
export { registerPolicy } from '../engine/policies/registry';
export {
  NameTaken,
  registerStrategy,
  type StrategyChoice,
  strategyChoices as strategies,
} from '../engine/strategies/registry';
export type { Strategy, WriteOrder, WritingTools, WrittenBlock } from '../engine/strategies/strategy';
export { extractiveSummarizer } from '../summarizers/extractive/extractive';
export { type ModelSummarizerOptions, modelSummarizer } from '../summarizers/model/model-summarizer';
export type { AgentContext } from './agent-context';
export { type CompactedMessages, compactMessages, type MessagesOptions } from './conversations/compact-messages';
export { type Conversations, createConversations } from './conversations/conversations';
export type { ConversationsOptions, LastingPin } from './conversations/options';
export type { RecordedConversation } from './conversations/recorded';
export {
  ConversationGone,
  type ConversationShelf,
  type MemoryShelf,
  memoryShelf,
  type ShelvedConversation,
} from './conversations/shelf';
export { createContext } from './create-context';
export type { Message, NewEntry, SentMessage } from './message';
export type { AutomationOptions, CompactOptions, ContextOptions, Effects } from './options';
export type { AutomaticOutcome, ContextChange } from './outcomes';
export { type ConversationStore, memoryConversation, memoryJournal } from './stores';
export { EmbedderMissing } from './tools';
