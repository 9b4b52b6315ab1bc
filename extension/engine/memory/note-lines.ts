import type { Note } from '../block/memory';
import type { Recalled } from './retrieval';
import { brief } from './text';

const contextLength = 160;
const linksShown = 4;

/** A note as a block shows it. A context that stands elsewhere, by `isSaid`, is left out. */
export function noteLines(note: Note, isSaid: (text: string) => boolean = () => false): string {
  const { id, content, context, keywords, links, timestamp } = note;
  const about = isSaid(context) ? '' : brief(context, contextLength);
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

/** Best first, as many as fit; one that is too long does not keep shorter ones out. */
export function fitting<T>(items: readonly T[], room: number, tokensOf: (item: T) => number): T[] {
  let left = room;
  return items.filter((item) => {
    const tokens = tokensOf(item);
    if (tokens > left) return false;
    left -= tokens;
    return true;
  });
}

/** In the order of what is remembered, so that the newest stands last, nearest to the work that follows. */
export function inOrderOf(all: readonly Note[], recalled: readonly Recalled[]): Note[] {
  const shown = new Set(recalled.map(({ note }) => note.id));
  return all.filter(({ id }) => shown.has(id));
}
