<?php

// The eight calls that most programs make, with PHP 8.1 or newer and ext-curl.

declare(strict_types=1);

// [begin]
$base = getenv('SINETE_ADDRESS') ?: 'http://127.0.0.1:17171';

/** @param list<string> $headers */
function call(string $method, string $path, string|array|null $body = null, array $headers = []): string
{
    global $base;
    $handle = curl_init($base . $path);
    curl_setopt_array($handle, [
        CURLOPT_CUSTOMREQUEST => $method,
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_PROXY => '', // A proxy of the environment would get requests for this computer.
        CURLOPT_HTTPHEADER => [...$headers, 'Expect:'],
    ] + ($body === null ? [] : [CURLOPT_POSTFIELDS => $body]));
    $answer = curl_exec($handle);
    $status = curl_getinfo($handle, CURLINFO_RESPONSE_CODE);
    if ($answer === false || $status >= 300) {
        throw new RuntimeException($answer === false ? curl_error($handle) : $answer);
    }
    return $answer;
}
// [one-call]
function signInOneCall(string $pdf): string
{
    $body = json_encode([
        'type' => 'PAdES',
        'documents_source' => 'DATA_URL',
        'mode' => 'sync',
        'documents' => 'data:application/pdf;base64,' . base64_encode($pdf),
    ]);
    $transaction = json_decode(call('POST', '/signature-service', $body, ['Content-Type: application/json']), true);
    $document = $transaction['documents'][0];
    if ($document['status'] !== 'SIGNED') {
        throw new RuntimeException($document['error']['detail'] ?? 'Not signed yet: query it.');
    }
    return download($transaction['tcn'], $document['id']);
}
// [create]
function create(array $settings): string
{
    $body = ['type' => 'PAdES', 'documents_source' => 'UPLOAD_REFERENCE', 'signature_settings' => $settings];
    $headers = ['Content-Type: application/json', 'Idempotency-Key: ' . bin2hex(random_bytes(16))];
    return json_decode(call('POST', '/signature-service', json_encode($body), $headers), true)['tcn'];
}
// [upload]
function upload(string $tcn, string $name, string $path): void
{
    $form = ['document' => new CURLFile($path, 'application/pdf', $name)];
    call('POST', "/file-transfer/{$tcn}/eot", $form); // continue instead of eot: more follow
}
// [query]
function waitUntilFinished(string $tcn): array
{
    do {
        $transaction = json_decode(call('GET', "/signature-service/{$tcn}?wait=60"), true);
    } while ($transaction['status'] === 'WAITING');
    return $transaction['documents'];
}
// [download]
function download(string $tcn, string $id): string
{
    return call('GET', "/file-transfer/{$tcn}/{$id}");
}
// [validate]
function validate(string $signed): array
{
    $form = ['type' => 'PAdES', 'signature' => new CURLStringFile($signed, 'signed.pdf', 'application/pdf')];
    $verdict = json_decode(call('POST', '/validator-service', $form), true);
    return [$verdict['status'], $verdict['detail']['signature']];
}
// [token]
function exchangeCode(string $code, string $verifier, array $application): string
{
    $form = ['grant_type' => 'authorization_code', 'code' => $code, 'code_verifier' => $verifier] + $application;
    return json_decode(call('POST', '/oauth', http_build_query($form)), true)['access_token']; // Authorization: Bearer …
}
// [callback]
function verifyCallback(array $headers, string $body, string $secret): array
{
    ['webhook-id' => $id, 'webhook-timestamp' => $time] = $headers;
    if (abs(time() - (int) $time) > 300) {
        throw new RuntimeException('The callback is too old.');
    }
    $key = base64_decode(substr($secret, strlen('whsec_')));
    $wanted = 'v1,' . base64_encode(hash_hmac('sha256', "{$id}.{$time}.{$body}", $key, true));
    $given = explode(' ', $headers['webhook-signature']);
    if (array_filter($given, fn (string $one): bool => hash_equals($wanted, $one)) === []) {
        throw new RuntimeException('The callback is not genuine.');
    }
    return json_decode($body, true);
}
// [end]

$pdf = file_get_contents('contract.pdf');
file_put_contents('one-call.pdf', signInOneCall($pdf));
$tcn = create(['reason' => 'I agree']);
upload($tcn, 'contract.pdf', 'contract.pdf');
[$document] = waitUntilFinished($tcn);
$signed = download($tcn, $document['id']);
file_put_contents('four-steps.pdf', $signed);
echo 'integrity ', validate($signed)[1]['code'], "\n";
$application = [
    'client_id' => getenv('CLIENT_ID'),
    'client_secret' => getenv('CLIENT_SECRET'),
    'redirect_uri' => getenv('REDIRECT_URI'),
];
$token = exchangeCode(getenv('CODE'), getenv('CODE_VERIFIER'), $application);
echo 'token ', $token === '' ? 'false' : 'true', "\n";
$headers = [
    'webhook-id' => getenv('WEBHOOK_ID'),
    'webhook-timestamp' => getenv('WEBHOOK_TIMESTAMP'),
    'webhook-signature' => getenv('WEBHOOK_SIGNATURE'),
];
$body = getenv('WEBHOOK_BODY');
echo 'callback ', verifyCallback($headers, $body, getenv('WEBHOOK_SECRET'))['status'], "\n";
try {
    verifyCallback($headers, "{$body} ", getenv('WEBHOOK_SECRET'));
} catch (RuntimeException $error) {
    echo 'forged ', $error->getMessage(), "\n";
}
