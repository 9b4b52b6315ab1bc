interface Spot {
  /** The text of its label. */
  readonly id: string;
  readonly x: number;
  readonly y: number;
}

interface PlacedLabel extends Spot {
  readonly anchor: 'start' | 'end';
}

/** Height of one line of a label in pixels, and average width of one letter. */
export const lineHeight = 13;
const letterWidth = 6.4;
const gap = 8;

/**
 * Spreads the labels at the ends of lines, so that they do not overlap and each is as near to its line as possible,
 * within `top` and `bottom`. Null if there is not room for all of them.
 */
export function spreadLabels(spots: readonly Spot[], top: number, bottom: number): readonly Spot[] | null {
  if (spots.length * lineHeight > bottom - top + lineHeight) return null;
  const ordered = spots.toSorted((a, b) => a.y - b.y);
  const down = pushDown(ordered, top);
  return pullUp(down, bottom);
}

function pushDown(spots: readonly Spot[], top: number): Spot[] {
  let free = top;
  return spots.map((spot) => {
    const y = Math.max(spot.y, free);
    free = y + lineHeight;
    return { ...spot, y };
  });
}

function pullUp(spots: readonly Spot[], bottom: number): Spot[] {
  let free = bottom;
  return spots.toReversed().map((spot) => {
    const y = Math.min(spot.y, free);
    free = y - lineHeight;
    return { ...spot, y };
  });
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Places a label next to each mark if it overlaps no other mark or label; the other marks get none. */
export function placeLabels(spots: readonly Spot[], room: Box): PlacedLabel[] {
  const taken: Box[] = spots.map(({ x, y }) => ({ left: x - 6, right: x + 6, top: y - 6, bottom: y + 6 }));
  return spots.flatMap((spot): PlacedLabel[] => {
    const width = spot.id.length * letterWidth;
    const place = placesBeside(spot).find((each) => {
      const box = boxOf(each, width);
      return isInside(box, room) && !taken.some((other) => overlaps(box, other));
    });
    if (!place) return [];
    taken.push(boxOf(place, width));
    return [place];
  });
}

function placesBeside({ id, x, y }: Spot): readonly PlacedLabel[] {
  const right: PlacedLabel = { id, x: x + gap, y, anchor: 'start' };
  const left: PlacedLabel = { id, x: x - gap, y, anchor: 'end' };
  const shifts = [0, -lineHeight + 2, lineHeight - 2];
  return shifts.flatMap((shift) => [right, left].map((place) => ({ ...place, y: y + shift })));
}

function boxOf({ x, y, anchor }: PlacedLabel, width: number): Box {
  const left = anchor === 'start' ? x : x - width;
  return { left, right: left + width, top: y - lineHeight / 2, bottom: y + lineHeight / 2 };
}

function isInside(box: Box, room: Box): boolean {
  return box.left >= room.left && box.right <= room.right && box.top >= room.top && box.bottom <= room.bottom;
}

function overlaps(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
