interface PopupListSource<Item> {
  readonly items: () => readonly Item[];
  /** The text that typing a letter is matched with. */
  readonly label: (item: Item) => string;
  readonly choose: (item: Item) => void;
  /** The item at which the list opens. Absent: the first one. */
  readonly isSelected?: (item: Item) => boolean;
}

/** A list that opens from a button and is navigated by keyboard; choosing an item closes it. */
export class PopupList<Item> {
  isOpen = $state(false);
  activeIndex = $state(0);

  constructor(private readonly source: PopupListSource<Item>) {}

  open = (): void => {
    const { items, isSelected } = this.source;
    this.activeIndex = Math.max(0, isSelected ? items().findIndex(isSelected) : 0);
    this.isOpen = true;
  };

  close = (): void => {
    this.isOpen = false;
  };

  toggle = (): void => {
    if (this.isOpen) this.close();
    else this.open();
  };

  choose = (item: Item): void => {
    this.close();
    this.source.choose(item);
  };

  /** False if the list does not use the key. */
  press(key: string): boolean {
    return this.isOpen ? this.#pressOpen(key) : this.#pressClosed(key);
  }

  #pressClosed(key: string): boolean {
    if (!['ArrowDown', 'ArrowUp', 'Enter', ' '].includes(key)) return false;
    this.open();
    return true;
  }

  #pressOpen(key: string): boolean {
    const last = this.source.items().length - 1;
    if (key === 'ArrowDown') this.activeIndex = this.activeIndex >= last ? 0 : this.activeIndex + 1;
    else if (key === 'ArrowUp') this.activeIndex = this.activeIndex <= 0 ? last : this.activeIndex - 1;
    else if (key === 'Home') this.activeIndex = 0;
    else if (key === 'End') this.activeIndex = last;
    else if (key === 'Escape') this.close();
    else if (key === 'Enter' || key === ' ') this.#chooseActive();
    else return this.#goToLetter(key);
    return true;
  }

  /** Moves to the next item that starts with the letter, wrapping around at the end. */
  #goToLetter(key: string): boolean {
    if (key.length !== 1) return false;
    const { items, label } = this.source;
    const begins = items().map((item) => label(item).toLowerCase().startsWith(key.toLowerCase()));
    const next = begins.indexOf(true, this.activeIndex + 1);
    const found = next >= 0 ? next : begins.indexOf(true);
    if (found >= 0) this.activeIndex = found;
    return found >= 0;
  }

  #chooseActive(): void {
    const item = this.source.items()[this.activeIndex];
    if (item !== undefined) this.choose(item);
  }
}

/** Scrolls the active item of a list into view. */
export function keepInView(isActive: boolean): (element: HTMLElement) => void {
  return (element) => {
    if (isActive) element.scrollIntoView({ block: 'nearest' });
  };
}
