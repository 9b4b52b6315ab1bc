/** Share of the room that one tenant can take. */
const shareOfTenant = 0.5;

/** The body of one request that is being read or answered. */
interface BodyInFlight {
  /** Counts received bytes. False: there is no room for them, and all bytes of the body are released. */
  take(bytes: number): boolean;
  /** The request is over. */
  leave(): void;
}

/** Counts the bytes of all requests that are being read or answered, by tenant. Counts received bytes, not announced lengths. */
export class BodiesInFlight {
  #bytes = 0;
  readonly #ofTenant = new Map<string, number>();

  constructor(private readonly most: number) {}

  get bytes(): number {
    return this.#bytes;
  }

  enter(tenant: string): BodyInFlight {
    let own = 0;
    const add = (bytes: number) => {
      own += bytes;
      this.#add(tenant, bytes);
    };
    return {
      take: (bytes) => {
        const hasRoom = this.#hasRoom(tenant, own, bytes);
        add(hasRoom ? bytes : -own);
        return hasRoom;
      },
      leave: () => add(-own),
    };
  }

  #add(tenant: string, bytes: number): void {
    this.#bytes += bytes;
    const ofTenant = (this.#ofTenant.get(tenant) ?? 0) + bytes;
    if (ofTenant === 0) this.#ofTenant.delete(tenant);
    else this.#ofTenant.set(tenant, ofTenant);
  }

  /** One body of each tenant has room even if other tenants use all of it, up to twice the limit. */
  #hasRoom(tenant: string, own: number, bytes: number): boolean {
    const ofTenant = this.#ofTenant.get(tenant) ?? 0;
    if (ofTenant === own && (this.#bytes === own || this.#bytes + bytes <= 2 * this.most)) return true;
    return ofTenant + bytes <= this.most * shareOfTenant && this.#bytes + bytes <= this.most;
  }
}
