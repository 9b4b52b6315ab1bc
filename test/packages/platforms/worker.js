import { ask, compactAndUndo } from './program.js';

/** Each turn is a request of its own: a worker may not go on with what another request began. */
export default {
  async fetch(request, { ADDRESS }) {
    const turn = new URL(request.url).searchParams.get('turn');
    if (turn === null) return Response.json(await compactAndUndo(ADDRESS));
    await ask(ADDRESS, turn);
    return new Response(null, { status: 204 });
  },
};
