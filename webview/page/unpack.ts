/** Data that the page carries could not be read. */
export class PageDataUnusable extends Error {
  override name = 'PageDataUnusable';
}

/** The text of what `pageHtml` packed, gzip in base64; null where the page carries nothing by this id. */
export async function unpack(id: string): Promise<string | null> {
  const element = document.getElementById(id);
  if (!element) return null;
  try {
    const bytes = bytesOf(element.textContent.trim());
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    return await new Response(stream).text();
  } catch (cause) {
    throw new PageDataUnusable(`The data of this page cannot be read (${id}). It may have been cut short.`, { cause });
  }
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}
