/** A piece of a streaming tool call. Missing fields are empty, and a missing index is null. */
export interface ToolCallDelta {
  readonly index: number | null;
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  /** A custom tool takes text, which may happen to be JSON. */
  readonly isCustom?: true;
}

/** The id is empty if the server gave none; the arguments are JSON as written by the model, possibly incomplete. */
export type AssembledCall = Omit<ToolCallDelta, 'index'>;

/** Assembles tool calls from their pieces, in the order in which they began. */
export class ToolCallAssembly {
  readonly #calls: ToolCallDelta[] = [];

  get calls(): readonly AssembledCall[] {
    return this.#calls;
  }

  add(delta: ToolCallDelta): void {
    const at = this.#positionOf(delta);
    const call = this.#calls[at];
    if (call === undefined || opensAnother(call, delta)) this.#calls.push(delta);
    else this.#calls[at] = continued(call, delta);
  }

  /** A piece without an index belongs to the newest call. */
  #positionOf({ index }: ToolCallDelta): number {
    return index === null ? this.#calls.length - 1 : this.#calls.findLastIndex((call) => call.index === index);
  }
}

/** Some servers send each call as a whole, all with the same index or with none. */
function opensAnother(call: ToolCallDelta, { index, id, name }: ToolCallDelta): boolean {
  if (name === '') return false;
  return index === null || (id !== '' && call.id !== '' && id !== call.id);
}

/** Id and name arrive whole. Servers that repeat them in each piece do not extend them. */
function continued(call: ToolCallDelta, delta: ToolCallDelta): ToolCallDelta {
  return {
    ...call,
    id: call.id || delta.id,
    name: call.name || delta.name,
    arguments: call.arguments + delta.arguments,
  };
}
