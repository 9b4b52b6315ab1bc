import type { Conversation } from '../../../engine/conversation/conversation';
import type { Entry, Part, Role } from '../../../engine/conversation/entry';
import { Random } from '../random';
import { fillerOf } from './filler';
import type { TaskTurn, TaskWork } from './task';
import type { TaskVariation } from './variation';

/** A variation in the form of an agent's conversation. */
export interface Script {
  readonly system: Entry;
  readonly turns: readonly ScriptTurn[];
}

export interface ScriptTurn {
  /** Id of the task's turn; null for a distractor and for turns without an id. */
  readonly id: string | null;
  readonly entries: readonly Entry[];
}

export function scriptOf(variation: TaskVariation): Script {
  const writer = new ScriptWriter(variation);
  return {
    system: writer.entry('system', [{ type: 'text', text: variation.system }]),
    turns: variation.turns.map((turn) => writer.turn(turn)),
  };
}

export function conversationOf({ system, turns }: Script, count: number): Conversation {
  const entries = [system, ...turns.slice(0, count).flatMap((turn) => turn.entries)];
  return { entries, agentContext: entries, agentCompactions: [] };
}

class ScriptWriter {
  readonly #random: Random;
  readonly #file: string;
  #count = 0;
  #calls = 0;

  constructor({ name, seed }: TaskVariation) {
    this.#random = new Random(`filler of ${name}`, seed);
    this.#file = `${name}.json`;
  }

  turn({ id, user, work, reply }: TaskTurn): ScriptTurn {
    const entries = [
      this.entry('user', [{ type: 'text', text: user }]),
      ...work.flatMap((step) => this.#work(step)),
      this.entry('assistant', [{ type: 'text', text: reply }]),
    ];
    return { id: id ?? null, entries };
  }

  entry(role: Role, parts: readonly Part[]): Entry {
    this.#count += 1;
    return {
      id: `e${this.#count}`,
      role,
      parts,
      timestamp: timeOf(this.#count),
      origin: { file: this.#file, line: this.#count },
    };
  }

  #work({ say, tool, input, result, fill, failed = false }: TaskWork): Entry[] {
    this.#calls += 1;
    const callId = `call-${this.#calls}`;
    const said: Part[] = say === undefined ? [] : [{ type: 'text', text: say }];
    const noise = fill ? [fillerOf(fill.kind, fill.lines, this.#random)] : [];
    const text = [...(result === '' ? [] : [result]), ...noise].join('\n');
    return [
      this.entry('assistant', [...said, { type: 'tool_call', callId, name: tool, input }]),
      this.entry('tool', [{ type: 'tool_result', callId, name: tool, text, isError: failed }]),
    ];
  }
}

/** Arbitrary times, one minute apart, which keep the order. */
function timeOf(count: number): string {
  return new Date(Date.UTC(2026, 0, 5, 8, count)).toISOString();
}
