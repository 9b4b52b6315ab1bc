import { stat } from 'node:fs/promises';

/** Characters by which a session grows before Strata checks whether something is due: about 10,000 tokens. */
const lookAfter = 40_000;

/** The messages of the next request, from Strata's newest answer. */
export class NextRequest {
  /** Messages by their ids; Cline hands them over once with ids, and once without. */
  #byId = new Map();
  #answered = null;

  constructor(ask, tell) {
    this.ask = ask;
    this.tell = tell;
  }

  /** Never rejects. */
  async of(messages) {
    try {
      for (const message of messages) if (message.id) this.#byId.set(message.id, message);
      if (!(await this.#isAnswered(messages))) this.#answered = await this.#answer(messages);
      const { count, sent } = this.#answered;
      return sent === null ? messages : [...sent, ...messages.slice(count)];
    } catch (error) {
      this.tell(`Strata: ${String(error?.message ?? error).split('\n')[0]}. Cline sends its own messages.`);
      return messages;
    }
  }

  /** Makes the next request ask Strata again. */
  forget() {
    this.#answered = null;
  }

  /**
   * Whether the last answer still holds: it is about the beginning of these messages, little was added since, and
   * Strata's journal is unchanged.
   */
  async #isAnswered(messages) {
    if (this.#answered === null) return false;
    const { count, last, journal, changed } = this.#answered;
    if (messages.length < count || said(messages[count - 1]) !== last) return false;
    if (said(messages.slice(count)).length >= lookAfter) return false;
    return changed === (await changeOf(journal));
  }

  async #answer(messages) {
    const about = { count: messages.length, last: said(messages.at(-1)) };
    const answer = await this.ask(messages);
    if (answer.kind === 'fallback') this.tell(`${answer.message} Cline sends its own messages.`);
    const sent = answer.kind === 'compacted' ? answer.result.messages.map((message) => this.#restored(message)) : null;
    return { ...about, sent, journal: answer.journal, changed: await changeOf(answer.journal) };
  }

  /** Cline's own object if it is unchanged, because it has more fields than Strata's answer. */
  #restored({ kept, role, content }) {
    const own = this.#byId.get(kept);
    return own ?? { role, content: content.map((block) => this.#restoredBlock(block)) };
  }

  #restoredBlock({ isKept, ...block }) {
    return (isKept && this.#resultOf(block.tool_use_id)) || block;
  }

  #resultOf(call) {
    for (const { content } of this.#byId.values()) {
      const found = Array.isArray(content) && content.find((block) => block.tool_use_id === call);
      if (found) return found;
    }
    return null;
  }
}

/** Without ids and times, which Cline leaves out where it asks a second time. */
function said(messages) {
  return JSON.stringify([messages].flat().map((message) => [message?.role, message?.content]));
}

/** A value that changes whenever the journal is written; null before the first write. */
async function changeOf(path) {
  if (path === undefined) return null;
  try {
    const { mtimeMs, size } = await stat(path);
    return `${mtimeMs} ${size}`;
  } catch {
    return null;
  }
}
