/** A `data:` URL with base64. */
interface DataUrl {
  readonly mediaType: string | null;
  readonly data: string;
}

/** Maximum length of what comes before the data, in characters. */
const maxStartLength = 200;

/** Null for other URLs. */
export function dataUrl(url: string): DataUrl | null {
  const start = /^data:([^;,]*)[^,]*;base64,/.exec(url.slice(0, maxStartLength));
  return start === null ? null : { mediaType: start[1] || null, data: url.slice(start[0].length) };
}
