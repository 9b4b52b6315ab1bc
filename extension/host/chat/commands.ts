import type { ChatCall } from './chat-services';
import { setAutoCompact } from './commands/autocompact';
import { previewCompaction } from './commands/compact';
import { tellContext } from './commands/context';
import { tellCore } from './commands/core';
import { draftNextChat } from './commands/handoff';
import { pinText } from './commands/pin';
import { setStrategy } from './commands/strategy';
import { redoLast, undoLast } from './commands/undo';

/** A slash command of `@strata`. The text after it is its argument. */
type ChatCommand = (call: ChatCall, argument: string) => Promise<void>;

/** By their names in package.json. */
export const chatCommands: Readonly<Partial<Record<string, ChatCommand>>> = {
  compact: previewCompaction,
  autocompact: setAutoCompact,
  undo: undoLast,
  redo: redoLast,
  pin: pinText,
  core: tellCore,
  strategy: setStrategy,
  context: tellContext,
  handoff: draftNextChat,
};
