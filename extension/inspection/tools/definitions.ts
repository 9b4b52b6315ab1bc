import { pinKinds } from '../../engine/core/core';
import { type ToolKey, toolNames } from './tool-names';

/** Tokens of an answer. */
export const budgets = { min: 100, default: 2000, max: 8000 } as const;

/** In UTF-16 units. Core items are short because they are sent with every request. */
const maxLength = { session: 400, question: 2000, item: 2000, reason: 1000, id: 200 } as const;

/**
 * JSON Schema of one field, in the subset that all model providers accept. Types instead of interfaces, which could have further
 * properties and would then not be JSON.
 */
export type FieldSchema = TextField | ChoiceField<string> | NumberField | ListField;
type TextField = {
  readonly type: 'string';
  readonly minLength: number;
  readonly maxLength: number;
  readonly description: string;
};
type ChoiceField<Choice extends string> = {
  readonly type: 'string';
  readonly enum: Choice[];
  readonly description: string;
};
type NumberField = {
  readonly type: 'integer';
  readonly minimum: number;
  readonly maximum?: number;
  readonly default?: number;
  readonly description: string;
};
type ListField = {
  readonly type: 'array';
  readonly items: { readonly type: 'string'; readonly minLength: number };
  readonly minItems: number;
  readonly maxItems: number;
  readonly description: string;
};

/** A tool for agents: the same in the editor and in the MCP server. */
export interface Definition {
  /** For the person. */
  readonly title: string;
  /** For the model. */
  readonly description: string;
  readonly fields: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
  /** Changes nothing, not even Strata's own journal. */
  readonly isReadOnly: boolean;
}

const text = (description: string, longest: number) =>
  ({ type: 'string', minLength: 1, maxLength: longest, description }) as const;

const session = text(
  'Which session: its id, title, words of its title, or file name. Leave out for the conversation you are in.',
  maxLength.session,
);

const maxTokens = {
  type: 'integer',
  minimum: budgets.min,
  maximum: budgets.max,
  default: budgets.default,
  description: 'Maximum number of tokens of the answer.',
} as const;

export const toolDefinitions = {
  context: {
    title: 'Show What Is in the Context',
    description:
      'Shows what is in the context of this conversation: how full the window is, tokens by kind, the compactions in effect, and the largest messages with their ids. Use it before you decide what to read next in a long conversation, and before strata_compact.',
    fields: { session, maxTokens },
    isReadOnly: true,
  },
  core: {
    title: 'Read Protected Core',
    description:
      'Reads the protected core of a conversation: its goal, constraints and decisions, verbatim, each with its id and state (in force, proposed and waiting for the person, done, superseded, refused). Use it before you plan or decide something in a long conversation, and before strata_propose.',
    fields: { session },
    isReadOnly: true,
  },
  lost: {
    title: 'Show What a Compaction Lost',
    description:
      'Lists what the last compaction of this conversation left out: messages of the person that are no longer there word for word, open items, changed files and the largest outputs, each with the id to read it by with strata_recall. Use it right after a compaction, before you continue.',
    fields: {
      compaction: {
        type: 'integer' as const,
        minimum: 1,
        description: 'Number of the compaction, as strata_context lists it. Leave out for the last one.',
      },
      session,
      maxTokens,
    },
    isReadOnly: true,
  },
  session: {
    title: 'Ask Another Session',
    description:
      'Takes from another session of a coding agent what you ask for, without reading all of it: its goal, then verbatim excerpts that fit the question, best first, each with who said it, when, and the file and line. Without fields it lists the newest sessions of the open folder with their ids. Use it when the person refers to earlier work, or when something was decided or tried before in another session. The session is only read.',
    fields: {
      session: text(
        'Which session: its id, title, words of its title, or file name. Leave out to list the newest ones.',
        maxLength.session,
      ),
      question: text(
        'What you want to know of the session; needed with "session". Names, paths and words that were said there find most.',
        maxLength.question,
      ),
      maxTokens,
    },
    isReadOnly: true,
  },
  propose: {
    title: 'Propose for Protected Core',
    description:
      'Proposes one goal, constraint or decision for the protected core of the conversation, whose items stand verbatim in every request and are never summarised away. The person accepts or refuses it; until then it is not in force, and you need not wait. Propose what the person laid down or what was settled with them, in their words where you can, one sentence. What was refused is not proposed again.',
    fields: {
      kind: {
        type: 'string' as const,
        enum: [...pinKinds],
        description:
          'goal: what the work is for now. constraint: a rule that must hold. decision: something that was settled.',
      },
      text: text('The text of the item in the core.', maxLength.item),
      reason: text('Why; for a decision, the reason for it.', maxLength.reason),
      session,
    },
    required: ['kind', 'text'] as const,
    isReadOnly: false,
  },
  recall: {
    title: 'Recall Earlier Conversation',
    description:
      'Looks up verbatim what an earlier part of this conversation said that has since been compacted, summarised, pruned or left on another branch, and the notes made of it. Three steps, each with a larger answer than the one before; give exactly one of them: {"query"} lists hits on one line each with id and size; {"around": id} shows what came right before and after a hit; {"ids": [id, …]} gives the texts. Ids also stand in brackets in blocks and in the place of cleared output: […: id] is one message or output, id..id all from one to another. An id with @number begins at that character of a long text. Use it whenever a summary leaves open an exact name, number, error, command or wording, instead of guessing or doing the work again.',
    fields: {
      query: text('What to search for: words that were said, names, paths, errors.', maxLength.question),
      around: text('Id of a hit.', maxLength.id),
      ids: {
        type: 'array' as const,
        items: { type: 'string' as const, minLength: 1 },
        minItems: 1,
        maxItems: 20,
        description: 'Ids whose texts you want: of hits, or from the brackets of a block.',
      },
      session,
      maxTokens,
    },
    isReadOnly: true,
  },
  compact: {
    title: 'Ask for Compaction',
    description:
      'Asks for a compaction of the conversation’s context at a good moment: when a task is finished, before a new one begins, or when much tool output is no longer needed. The answer says what happens to the request; it never compacts in the middle of a turn. Nothing is lost: a compaction can be undone, and strata_recall finds what lies beneath. Do not ask in the middle of a task.',
    fields: { reason: text('Why now is a good moment, for the person.', maxLength.reason), session },
    required: ['reason'] as const,
    isReadOnly: false,
  },
} satisfies Record<ToolKey, Definition>;

/** The tools for agents, in the order in which they are listed. */
export const contextTools = (Object.keys(toolDefinitions) as ToolKey[]).map((key) => {
  const { title, description, isReadOnly, fields, required }: Definition = toolDefinitions[key];
  const inputSchema = {
    type: 'object' as const,
    properties: { ...fields },
    ...(required ? { required: [...required] } : {}),
    additionalProperties: false as const,
  };
  return { key, name: toolNames[key], title, description, isReadOnly, inputSchema };
});
