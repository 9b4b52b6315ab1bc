/**
 * The context of an agent: compacted when it has to be, with undo, and with a core of goals, constraints and decisions that
 * stays as it is. For Node, browsers and workers.
 *
 * @module strata-context
 */

export type { AutomaticOutcome } from '../conversations/compaction/outcomes';
export type { AutomationOptions } from '../conversations/compaction/settings';
export type { ContextEvent, EventConversation } from '../conversations/events';
export { memoryJournal } from '../conversations/shelves/memory-journal';
export {
  type ConversationStore,
  memoryConversation,
  type NewEntry,
  type RecordedConversation,
} from '../conversations/shelves/recorded';
export {
  ConversationGone,
  type ConversationShelf,
  type MemoryShelf,
  memoryShelf,
  type ShelvedConversation,
} from '../conversations/shelves/shelf';
export type { SentAnswer, SentRequest, Telemetry } from '../conversations/telemetry';
export {
  type Completion,
  type CompletionOptions,
  type Embedder,
  type LanguageModel,
  ModelFailed,
  type Prompt,
} from '../engine/block/language-model';
export type { LossReport } from '../engine/block/loss';
export type { CompactionPlan, Parameters, PlanInput, PlanOutcome } from '../engine/block/plan';
export type { Strategy, WriteOrder, WritingTools, WrittenBlock } from '../engine/block/strategy';
export type { SharedSummaries, Summarizer, Summary, SummaryRequest } from '../engine/block/summary';
export type { VerificationMode } from '../engine/compaction/verify';
export type { Block, BlockMetadata } from '../engine/conversation/block';
export type {
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
export type { Journal, JournalAccess } from '../engine/journal/journal-access';
export type { JournaledCompaction, JournalState } from '../engine/journal/journal-state';
export { OperationRefused } from '../engine/journal/operation-refused';
export type { OriginalGoal } from '../engine/journal/overlay';
export type { CompactionRecord, JournalRecord, SessionIdentity } from '../engine/journal/records';
export type { UndoPlan } from '../engine/journal/undo';
export {
  type CompactedHistory,
  Compactor,
  type CycleOptions,
  compactHistory,
} from '../engine/policies/compact-history';
export { deterministicPolicy } from '../engine/policies/deterministic';
export { hierarchicalPolicy } from '../engine/policies/hierarchical';
export type { HistoryEntry } from '../engine/policies/history';
export { llmPolicy } from '../engine/policies/llm';
export {
  BrokenPolicy,
  type CompactionPolicy,
  type Fate,
  type PolicyContext,
  type PolicyMemory,
  type Remembering,
  type Tier,
} from '../engine/policies/policy';
export { policies, policyNamed, UnknownPolicy } from '../engine/policies/policy-list';
export { slidingWindowPolicy } from '../engine/policies/sliding-window';
export type { AutomationDecision } from '../engine/run/automation/automation';
export type { ItemProposal, Pin, ProposalOutcome } from '../engine/run/change/core-editor';
export type { PreparedRun } from '../engine/run/prepare/prepared-run';
export {
  NameTaken,
  registerPolicy,
  registerStrategy,
  type StrategyChoice,
  strategyChoices as strategies,
} from '../engine/run/prepare/registry';
export { UnknownStrategy } from '../engine/run/prepare/run';
export type { RunProgress } from '../engine/run/prepare/run-input';
export type { ContextChange, Effects } from '../engine/run/workbench';
export { LocalizableText, type LocalizableValue } from '../engine/wording/localizable-text';
export { NotCompacted, type WhenItFails } from '../middleware/requests/not-compacted';
export type { RequestIdentity } from '../middleware/requests/recording';
export { modelSummarizer } from '../summarizers/model/model-summarizer';
export type { ModelSummarizerOptions } from '../summarizers/model/shared-summaries';
export { transparentSummarizer } from '../summarizers/transparent/transparent';
export type { AgentContext } from './agent-context';
export { type IdentityOptions, ScopeMissing } from './call-identity';
export { type CompactedMessages, compactMessages, type MessagesOptions } from './compact-messages';
export type { ContextIdentity, ConversationListing, ConversationName, SearchHit } from './conversation-names';
export { type Conversations, createConversations } from './conversations';
export type { ConversationsOptions, LastingPin } from './conversations-options';
export { createContext } from './create-context';
export { InvalidOption } from './invalid-option';
export type { Message, SentMessage } from './message';
export type { CompactOptions, ContextOptions } from './options';
export { EmbedderMissing } from './tools';
