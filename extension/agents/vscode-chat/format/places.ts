import { type OpenValue, scanJson } from '../../../platform/json/json-scan';

/** The first line of each value in a JSON text, 1-based, by the value's name. */
type Places = ReadonlyMap<string, number>;

export function placeName(request: number, part?: number): string {
  return part === undefined ? `${request}` : `${request}/${part}`;
}

/** The first lines of the requests of a chat and of the parts of their responses. The text must be valid JSON. */
export function placesIn(text: string): Places {
  const places = new Map<string, number>();
  scanJson(text, {
    enter: (open, line) => {
      const name = nameOf(open);
      if (name !== null) places.set(name, line);
    },
  });
  return places;
}

/** The name of the value that starts here, if it is a request or a part of a response. */
function nameOf(open: readonly OpenValue[]): string | null {
  const [root, requests, request, response] = open;
  if (root?.key !== 'requests' || typeof requests?.key !== 'number') return null;
  if (open.length === 2) return placeName(requests.key);
  if (open.length !== 4 || request?.key !== 'response' || typeof response?.key !== 'number') return null;
  return placeName(requests.key, response.key);
}
