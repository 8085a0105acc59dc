<?php

declare(strict_types=1);

namespace Sinete;

/** A document of a transaction. */
final class Document
{
    /**
     * @param string $status `WAITING`, `SIGNED` or `ERROR`
     * @param string|null $errorCode why the document was not signed, of Sinete's closed list
     * @param string|null $errorDetail the same as a sentence with the remedy
     * @param array<string, mixed> $raw the whole entry, new fields included
     */
    public function __construct(
        public readonly string $id,
        public readonly string $status,
        public readonly ?string $name,
        public readonly ?string $result,
        public readonly ?string $errorCode,
        public readonly ?string $errorDetail,
        public readonly array $raw,
    ) {
    }

    /**
     * @internal
     * @param array<string, mixed> $entry
     */
    public static function read(array $entry): self
    {
        return new self(
            $entry['id'],
            $entry['status'],
            $entry['original_file_name'] ?? null,
            $entry['result'] ?? null,
            $entry['error']['code'] ?? null,
            $entry['error']['detail'] ?? null,
            $entry,
        );
    }
}
