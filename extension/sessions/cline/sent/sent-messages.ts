import { asName, asRecord, asRecords } from '../../records/json';
import { type Message, withContent } from '../messages';
import { cutFile, cutReply, cutResult } from './cut';
import { PictureBudget } from './pictures';
import { withoutReadings } from './stale-content';
import { type StaleReadings, staleReadings } from './stale-readings';
import { textBytes, withinBudget } from './text-budget';
import { mapItems, mapTexts, type TextChange, withValue } from './texts';

/** A message before the limits of the whole request. */
interface Shortened {
  /** Which of its readings were left out. */
  readonly stale: string;
  readonly content: unknown;
  /** Bytes of its texts. */
  readonly bytes: number;
}

/** Messages as Cline 3.0.65 edits them for a request; one that is edited as it was before is the same object. */
export class SentMessages {
  readonly #shortened = new WeakMap<Message, Shortened>();
  readonly #edited = new WeakMap<Message, Message>();

  /** `wasSentFor` tells the replies that the process at work has asked for; there are none if it has ended. */
  of(messages: readonly Message[], wasSentFor: (reply: Message) => boolean): Message[] {
    const stale = staleReadings(messages, wasSentFor);
    const pictures = new PictureBudget();
    const limited = messages.map((message) => {
      const { content, bytes } = this.#shorten(message, stale);
      return { role: message.fields.role, content: pictures.limit(content), bytes };
    });
    const contents = withinBudget(limited);
    return messages.map((message, index) => this.#edit(message, contents[index]));
  }

  #shorten(message: Message, stale: StaleReadings): Shortened {
    const key = staleKey(message, stale);
    const known = this.#shortened.get(message);
    if (known?.stale === key) return known;
    const { role, content } = message.fields;
    const current = key === '' ? content : withoutStale(content, stale);
    const cut = mapTexts(role, current, shorten);
    const shortened = { stale: key, content: cut, bytes: textBytes(role, cut) };
    this.#shortened.set(message, shortened);
    return shortened;
  }

  #edit(message: Message, content: unknown): Message {
    if (content === message.fields.content) return message;
    const known = this.#edited.get(message);
    if (known !== undefined && known.fields.content === content) return known;
    const edited = withContent(message, content, known);
    this.#edited.set(message, edited);
    return edited;
  }
}

const shorten: TextChange = (text, kind) => {
  switch (kind) {
    case 'result':
      return cutResult(text);
    case 'reply':
      return cutReply(text);
    case 'file':
      return cutFile(text);
    default:
      return text;
  }
};

function staleKey(message: Message, stale: StaleReadings): string {
  if (stale.size === 0) return '';
  const keys = asRecords(message.fields.content).flatMap(({ type, tool_use_id: id }) =>
    type === 'tool_result' ? [...(stale.get(asName(id) ?? '')?.keys() ?? [])].map((key) => [id, key]) : [],
  );
  return keys.length === 0 ? '' : JSON.stringify(keys);
}

function withoutStale(content: unknown, stale: StaleReadings): unknown {
  return mapItems(content, (item) => {
    const block = asRecord(item);
    const readings = block?.type === 'tool_result' ? stale.get(asName(block.tool_use_id) ?? '') : undefined;
    if (block === null || readings === undefined || block.is_error === true) return item;
    return withValue(block, 'content', withoutReadings(block.content, readings));
  });
}
