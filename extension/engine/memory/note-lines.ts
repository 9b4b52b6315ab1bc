import type { Note } from '../block/memory';
import { brief } from '../conversation/text';
import type { Recalled } from './retrieval';

const contextLength = 160;
const linksShown = 4;

/** A note as shown in a block. A context that `isCovered` finds elsewhere is left out. */
export function noteLines(note: Note, isCovered: (text: string) => boolean = () => false): string {
  const { id, content, context, keywords, links, timestamp } = note;
  const about = isCovered(context) ? '' : brief(context, contextLength);
  return [
    `- ${id}${timestamp === null ? '' : ` (${timestamp.slice(0, 16).replace('T', ' ')})`}: ${content}`,
    ...(about === '' || content.startsWith(about.replace(/…$/, '')) ? [] : [`  context: ${about}`]),
    `  keywords: ${keywords.join(', ')}${links.length === 0 ? '' : ` | links: ${linkList(links)}`}`,
  ].join('\n');
}

function linkList(links: readonly string[]): string {
  const more = links.length - linksShown;
  return `${links.slice(0, linksShown).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** The items that fit, best first. An item that is too long does not exclude shorter ones. */
export function fitting<T>(items: readonly T[], room: number, tokensOf: (item: T) => number): T[] {
  let left = room;
  return items.filter((item) => {
    const tokens = tokensOf(item);
    if (tokens > left) return false;
    left -= tokens;
    return true;
  });
}

/** In the order of the memory, so that the newest note stands last, next to the work that follows. */
export function inOrderOf(all: readonly Note[], recalled: readonly Recalled[]): Note[] {
  const shown = new Set(recalled.map(({ note }) => note.id));
  return all.filter(({ id }) => shown.has(id));
}
