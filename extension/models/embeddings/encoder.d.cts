/** The sentence encoder with 512 dimensions, for English. */
export interface Encoder {
  embed(text: string): Promise<number[]>;
}

/** Reads about 29 MB from the package's folder, and nothing from a network. */
export declare function loadEncoder(): Promise<Encoder>;
