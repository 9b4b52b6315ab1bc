import { ask, compactAndUndo } from './program.js';

/** Each turn is a request of its own, because a worker may not continue the work of another request. */
export default {
  async fetch(request, { ADDRESS }) {
    const turn = new URL(request.url).searchParams.get('turn');
    if (turn === null) return Response.json(await compactAndUndo(ADDRESS));
    await ask(ADDRESS, turn);
    return new Response(null, { status: 204 });
  },
};
