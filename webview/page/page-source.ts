import { type EvaluationResults, readResults } from '../../extension/evaluation/measure/evaluation-results';
import { reportOf } from '../../extension/evaluation/measure/make-report';
import type { ReplayReport } from '../../extension/evaluation/measure/replay';
import { probeViewOf, replayViewOf } from '../../extension/protocol/evaluation-views';
import type { EvaluationSource } from '../state/evaluate/source';

interface PageData {
  readonly results: EvaluationResults | null;
  readonly replay: ReplayReport | null;
}

/** Computes the host's answers within the page. The data is unpacked on the first request. */
export function pageSource(unpacked: (id: string) => Promise<string | null> = unpack): EvaluationSource {
  let data: Promise<PageData> | undefined;
  const read = () => {
    data ??= dataOf(unpacked);
    return data;
  };
  return {
    acts: null,
    async read(filter) {
      const { results, replay } = await read();
      const report = results && reportOf(results, filter);
      return { source: '', report, replay: replay && replayViewOf(replay) };
    },
    async probe(id) {
      const { results } = await read();
      const probe = results && probeViewOf(results, id);
      if (!probe) throw new Error(`The results have no boundary "${id}".`);
      return probe;
    },
    async replayBoundary(id) {
      const { replay } = await read();
      const boundary = replay?.boundaries.find((each) => each.id === id);
      if (!boundary) throw new Error(`The results have no boundary "${id}".`);
      return boundary;
    },
  };
}

async function dataOf(unpacked: (id: string) => Promise<string | null>): Promise<PageData> {
  const [lines, replay] = [await unpacked('strata-results'), await unpacked('strata-replay')];
  return {
    results: lines === null ? null : readResults('results', lines).results,
    replay: replay === null ? null : (JSON.parse(replay) as ReplayReport),
  };
}

/** Data embedded in the page could not be read. */
class PageDataUnusable extends Error {
  override name = 'PageDataUnusable';
}

/** Unpacks text that `pageHtml` embedded as gzip in base64; null if the page has no data with this id. */
async function unpack(id: string): Promise<string | null> {
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
