/** Data embedded in the page could not be read. */
export class PageDataUnusable extends Error {
  override name = 'PageDataUnusable';
}

/** Unpacks text that `pageHtml` embedded as gzip in base64; null if the page has no data with this id. */
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
