<?php

// A web service that signs PDFs, with PHP 8.1 or newer and ext-curl: php -S 127.0.0.1:3000 service.php
//   curl --data-binary @contract.pdf -H 'Content-Type: application/pdf' http://127.0.0.1:3000/sign -o signed.pdf

declare(strict_types=1);

$sinete = getenv('SINETE_ADDRESS') ?: 'http://127.0.0.1:17171';
$secret = getenv('SINETE_WEBHOOK_SECRET') ?: ''; // webhook_secret of the application, whsec_…
$credentials = getenv('SINETE_AUTHORIZATION'); // Sinete base64(client_id:client_secret), or Bearer …

/** @return array{int, string} */
function request(string $address, ?string $body = null, array $headers = []): array
{
    $handle = curl_init($address);
    $options = [CURLOPT_RETURNTRANSFER => true, CURLOPT_PROXY => '', CURLOPT_HTTPHEADER => [...$headers, 'Expect:']];
    curl_setopt_array($handle, $options + ($body === null ? [] : [CURLOPT_POSTFIELDS => $body]));
    $answer = curl_exec($handle);
    return [curl_getinfo($handle, CURLINFO_RESPONSE_CODE), (string) $answer];
}

function answer(int $status, array $body): void
{
    http_response_code($status);
    header('Content-Type: application/json');
    echo json_encode($body);
}

$received = (string) file_get_contents('php://input');
$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);

if ($path === '/sign') {
    $headers = ['Content-Type: application/json', ...($credentials ? ["Authorization: {$credentials}"] : [])];
    [$status, $json] = request("{$sinete}/signature-service", json_encode([
        'type' => 'PAdES',
        'documents_source' => 'DATA_URL',
        'mode' => 'sync',
        'documents' => 'data:application/pdf;base64,' . base64_encode($received),
    ]), $headers);
    $transaction = json_decode($json, true);
    if ($status !== 201) {
        answer(502, ['error' => $transaction['detail'] ?? 'Sinete does not answer.']);
        return;
    }
    $document = $transaction['documents'][0];
    // A document that waits for a person longer than the call: the application comes back, or is told by a callback.
    if ($document['status'] === 'WAITING') {
        answer(202, ['tcn' => $transaction['tcn']]);
    } elseif ($document['status'] === 'ERROR') {
        answer(422, ['error' => $document['error']['detail']]);
    } else {
        header('Content-Type: application/pdf');
        echo request($document['result'])[1];
    }
    return;
}

if ($path === '/signed') {
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $time = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '0';
    $key = base64_decode(str_replace('whsec_', '', $secret));
    $wanted = 'v1,' . base64_encode(hash_hmac('sha256', "{$id}.{$time}.{$received}", $key, true));
    $given = explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '');
    $isGenuine = array_filter($given, fn (string $one): bool => hash_equals($wanted, $one)) !== [];
    if (!$isGenuine || abs(time() - (int) $time) > 300) {
        http_response_code(401);
        return;
    }
    error_log('finished: ' . json_decode($received, true)['status']);
    http_response_code(204);
    return;
}
http_response_code(404);
