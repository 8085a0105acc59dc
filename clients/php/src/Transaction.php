<?php

declare(strict_types=1);

namespace Sinete;

/** A transaction and its documents. The TCN opens the results: treat it as a secret. */
final class Transaction
{
    /**
     * @param string $status `WAITING`, `SIGNED` or `ERROR`
     * @param string|null $waitingFor `upload`, `approval`, `pin` or `evidence`
     * @param list<Document> $documents
     * @param array<string, mixed> $raw the whole answer, new fields included
     */
    public function __construct(
        public readonly string $tcn,
        public readonly string $status,
        public readonly ?string $waitingFor,
        public readonly array $documents,
        public readonly array $raw,
    ) {
    }

    /**
     * @internal
     * @param array<string, mixed> $body
     */
    public static function read(array $body): self
    {
        return new self(
            $body['tcn'],
            $body['status'],
            $body['waiting_for'] ?? null,
            array_map(Document::read(...), $body['documents']),
            $body,
        );
    }
}
